// Stands before a worker's script in a package that is being profiled. Takes the notes of an
// instrumented module out of its exports, collects what Python says of its functions, and tells both:
// under Node as a file for each thread in the folder `TREEGLASS_NOTES`, anywhere as the global
// function `treeglassNotes`.
{
  let ran = "";
  globalThis.treeglassRan = (lines) => {
    ran += `${lines}\n`;
  };
  const instances = [];
  const { instantiate, Instance } = WebAssembly;
  const withoutNotes = (instance) => {
    const exports = {};
    const notes = [];
    for (const [name, exported] of Object.entries(instance.exports)) {
      if (name.startsWith("~")) {
        notes[Number(name.slice(1))] = exported;
      } else {
        exports[name] = exported;
      }
    }
    if (notes.length > 0) {
      instances.push(notes);
    }
    return notes.length > 0 ? { exports } : instance;
  };
  WebAssembly.instantiate = async (module, imports) => {
    const made = await instantiate(module, imports);
    // Of bytes, which no instrumented module is loaded as, it makes both.
    return made instanceof Instance ? withoutNotes(made) : made;
  };
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (_, [module, imports]) => withoutNotes(new Instance(module, imports)),
  });
  globalThis.treeglassNotes = () =>
    JSON.stringify({ modules: instances.map((notes) => notes.map(({ value }) => value)), ran });

  const folder = globalThis.process?.env?.TREEGLASS_NOTES;
  if (folder !== undefined) {
    const { writeFileSync } = process.getBuiltinModule("node:fs");
    const { threadId } = process.getBuiltinModule("node:worker_threads");
    const file = `${folder}/${process.pid}-${threadId}-${Date.now()}.json`;
    const { postMessage } = MessagePort.prototype;
    // A thread is ended without a warning, but not before its last answer has arrived.
    MessagePort.prototype.postMessage = function (...message) {
      if (instances.length > 0) {
        writeFileSync(file, globalThis.treeglassNotes());
      }
      return postMessage.apply(this, message);
    };
  }
}
