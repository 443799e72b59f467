// The stories that every runtime must tell alike: run with the address of the package's entry and
// a folder to mount; prints one JSON report, and must end by itself, with its clients still open.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

const [entry, folder, packagesOnly] = process.argv.slice(2);
const { connect, TreeglassClient, TreeglassError } = await import(entry);

const threads = new Set();
const { postMessage } = Worker.prototype;
Worker.prototype.postMessage = function (...message) {
	threads.add(this);
	return postMessage.apply(this, message);
};

const report = {};

async function refusal(promise) {
	try {
		await promise;
		return "was not refused";
	} catch (error) {
		// Each runtime words an abort in its own way.
		return error instanceof TreeglassError ? `${error.name}: ${error.message}` : error.name;
	}
}

async function shown(client, tool, args) {
	const { content, warnings } = await client.callTool(tool, args);
	return warnings.length === 0 ? content : [content, ...warnings];
}

const listed = (client, path) => shown(client, "list_dir", { dir_path: path });
const read = (client, path) => shown(client, "read_file", { file_path: path });

const client = await connect({ projectRoot: "/" });
report.start = [client.start.way, client.start.reason, client instanceof TreeglassClient];

const archive = readFileSync(`${folder}/tree.zip`);
const sources = {
	entries: { entries: { "a.txt": "entry\n", "b.bin": Buffer.from("buffer\n") } },
	blob: { archive: new Blob([archive]) },
	array_buffer: { archive: Uint8Array.from(archive).buffer },
	bytes: { archive },
	files: { files: [new File(["file\n"], "one.txt"), new File([], "none.txt")] },
	data_url: { url: `data:application/zip;base64,${archive.toString("base64")}` },
	directory: { directory: folder },
	directory_url: { directory: pathToFileURL(`${folder}/src`) },
};
report.sources = {};
for (const [name, source] of Object.entries(sources)) {
	await client.mount(`/${name}`, source);
	report.sources[name] = await listed(client, `/${name}`);
}
report.contents = [
	await read(client, "/entries/b.bin"),
	await read(client, "/blob/in/side.txt"),
	await read(client, "/files/one.txt"),
	await read(client, "/directory/src/main.py"),
];
// A search fetches many files at once.
const entries = Array.from({ length: 40 }, (_, number) => ({
	path: `${number}.txt`,
	kind: "file",
	size_bytes: 5,
	url: "data:,found",
}));
const manifest = JSON.stringify({ manifest_version: 1, entries });
await client.mount("/manifest", { url: `data:application/json,${encodeURIComponent(manifest)}` });
const { content } = await client.callTool("grep_files", { pattern: "found", path: "/manifest" });
report.searched = content.split("\n").length;
await client.unmount("/entries");
report.unmounted = await listed(client, "/entries");

report.refused = [
	await refusal(client.mount("/x", { directory: `${folder}/src/main.py` })),
	await refusal(client.mount("/x", { archive: new Blob(["no archive"]) })),
	await refusal(client.mount("/x", { url: "file:///etc/hostname" })),
	await refusal(client.mount("/x", { url: "tree.zip" })),
	await refusal(client.mount("/x", { directory: "a\0b" })),
	await refusal(connect({ config: { nonsense: 1 } })),
];

const gone = AbortSignal.abort();
report.aborted = [
	await refusal(client.callTool("list_dir", { dir_path: "/blob" }, { signal: gone })),
	await refusal(connect({ signal: gone })),
];

const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`f${index}`, ""]));
await client.mount("/many", { entries: many });
report.stopped = [
	await refusal(client.callTool("list_dir", { dir_path: "/many" }, { timeoutMs: 5 })),
	await read(client, "/blob/in/side.txt"),
];
await client.unmount("/many");

const before = [...threads];
const dying = refusal(client.callTool("list_dir", { dir_path: "/" }, { timeoutMs: 60_000 }));
await Promise.all(before.map((thread) => thread.terminate()));
await dying;
report.replaced = [threads.size - before.length, await read(client, "/files/one.txt")];

const { error } = console;
const faults = new Set();
console.error = (fault) => faults.add(fault.message);
function onProgress({ phase }) {
	throw new Error(`a listener's own fault: ${phase}`);
}
const unheard = await connect({ onProgress });
const { files } = await unheard.mount("/heard", sources.entries, { onProgress });
await unheard.close();
console.error = error;
report.listener = [files, [...faults].sort()];

async function tellApart(shared) {
	const configs = [{ tools: { output: { max_bytes: 2000 } } }, {}];
	const pair = await Promise.all(
		configs.map((config, index) => connect({ shared, config, workingDir: `/own${index}` })),
	);
	await Promise.all(
		pair.map((own, index) => own.mount(`/own${index}`, { entries: { [`of-${index}`]: "x\n".repeat(2000) } })),
	);
	const told = await Promise.all(
		pair.map(async (own, index) => {
			const { content, truncated } = await own.callTool("read_file", { file_path: `/own${index}/of-${index}` });
			return [
				await shown(own, "list_dir", { dir_path: "/" }),
				await listed(own, `/own${1 - index}`),
				await shown(own, "LS", { path: "." }).then((text) => [].concat(text)[0].includes(`of-${index}`)),
				[content.length < 2000, truncated],
				(await own.mounts()).map(({ path }) => path),
			];
		}),
	);
	await pair[0].close();
	return [told, await listed(pair[1], "/own1"), await refusal(pair[0].listTools())];
}
report.shared = await tellApart(true);
report.apart = await tellApart(false);

const fromPackages = await connect({ assets: packagesOnly });
await fromPackages.mount("/own", { entries: { "a.txt": "packages\n" } });
report.packages = [fromPackages.start.way, fromPackages.start.reason, await read(fromPackages, "/own/a.txt")];
report.missing = await refusal(connect({ assets: `${folder}/src` }));

console.log(JSON.stringify(report));
