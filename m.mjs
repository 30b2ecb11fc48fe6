const mb=(x)=>(x/1048576).toFixed(1);
const show=(l)=>{const m=process.memoryUsage(); console.log(l,'rss',mb(m.rss),'heapTotal',mb(m.heapTotal),'heapUsed',mb(m.heapUsed),'ext',mb(m.external), performance.now().toFixed(0));};
const {createService}=await import('./dist/index.js'); show('imported'); const s=await createService(); show('started'); await fetch(s.url+'/api/methods/get').then(r=>r.text()); await new Promise(r=>setTimeout(r,1000)); show('idle');await s.close(); process.exit();
