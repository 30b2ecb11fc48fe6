import v8 from 'node:v8'; import vm from 'node:vm';
const mb=(x)=>(x/1048576).toFixed(1);
const show=(l)=>{const m=process.memoryUsage(); console.log(l,'rss',mb(m.rss),'heapTotal',mb(m.heapTotal),'heapUsed',mb(m.heapUsed),'ext',mb(m.external));};
show('bare');
const imports=process.argv.slice(2);
for(const i of imports){ await import(i); show(i);}
if(!imports.length){ const {createService}=await import('./dist/index.js'); show('imported'); const s=await createService(); show('started'); await fetch(s.url+'/api/methods/get').then(r=>r.text()); await new Promise(r=>setTimeout(r,1000)); show('idle');
v8.setFlagsFromString('--expose-gc'); vm.runInNewContext('gc')(); show('gc');  await s.close(); process.exit();}
