import v8 from 'node:v8'; import vm from 'node:vm';
const mb=(x)=>(x/1048576).toFixed(1);
const show=(l)=>{const m=process.memoryUsage(); console.log(l,'rss',mb(m.rss),'heapTotal',mb(m.heapTotal),'heapUsed',mb(m.heapUsed),'ext',mb(m.external));};
const {createService}=await import('./dist/index.js'); const s=await createService(); show('started');
v8.setFlagsFromString('--expose-gc'); const gc=vm.runInNewContext('gc'); 
let t=performance.now(); gc({type:'major',execution:'sync',flavor:'last-resort'}); console.log(performance.now()-t); show('lastresort');
t=performance.now(); gc({type:'major',execution:'sync',flavor:'last-resort'}); console.log(performance.now()-t); show('lastresort2');
await new Promise(r=>setTimeout(r,1000)); show('idle'); await s.close(); process.exit();
