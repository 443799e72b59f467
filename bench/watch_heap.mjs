// Keeps the interpreter's memory object, so that its size can be read later.

let memory;

function remember(instance) {
  memory ??= instance.exports.memory;
  return instance;
}

const { instantiate, instantiateStreaming } = WebAssembly;

WebAssembly.instantiate = async (...args) => {
  const made = await instantiate(...args);
  remember(made.instance ?? made);
  return made;
};

WebAssembly.instantiateStreaming = async (...args) => {
  const made = await instantiateStreaming(...args);
  remember(made.instance);
  return made;
};

globalThis.wasmHeapBytes = () => memory?.buffer.byteLength ?? null;
