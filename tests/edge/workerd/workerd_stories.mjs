// A Worker that tells stories of clients: POST /NAME with the story's arguments, as JSON.
import { connect, TreeglassError } from "./treeglass/workerd.js";

const ENTRIES = { "README.md": "# Read me\n", "src/app.py": "print(1)\n" };

// In the global scope, which may wait only for promises.
const atTop = await connect({ projectRoot: "/repo" });
const reports = await Promise.all([
	atTop.mount("/repo", { entries: ENTRIES }),
	atTop.mount("/other", { entries: { "b.txt": "b\n" } }),
]);
const listedAtTop = await textOf(
	atTop.callTool("list_dir", { dir_path: "/repo" }),
);

/** A client that two visits share. */
let held = null;

const stories = {
	async startAtTop() {
		const { way, reason } = atTop.start;
		return {
			way,
			reason,
			listed: listedAtTop,
			mounted: reports.map(({ path, files }) => [path, files]),
		};
	},

	// Promises alone: the results of I/O and timers come later.
	async doneAtOnce() {
		const connecting = settledByPromisesAlone(connect());
		const calling = settledByPromisesAlone(
			atTop.callTool("list_dir", { dir_path: "/repo" }),
		);
		return { connect: await connecting, callTool: await calling };
	},

	async clientsApart({ manifest }) {
		const one = await connect({
			projectRoot: "/one",
			config: { tools: { experimental_supported_tools: ["read_file"] } },
		});
		const two = await connect({ projectRoot: "/two", workingDir: "/two/src" });
		await one.mount("/one", { url: manifest });
		await two.mount("/two", { entries: ENTRIES });
		const order = [];
		const ofOne = [
			textOf(one.callTool("read_file", { file_path: "/one/held.txt" })).then(
				(text) => order.push(text),
			),
			textOf(one.callTool("list_dir", { dir_path: "/one" })).then((text) =>
				order.push(text),
			),
		];
		const ofTwo = [];
		for (const path of ["/one", "/two"]) {
			ofTwo.push(await textOf(two.callTool("list_dir", { dir_path: path })));
		}
		// The answer has the start of a relative path.
		ofTwo.push(JSON.parse(await textOf(two.callTool("LS", {}))).context);
		const before = order.length;
		await fetch(new URL("release", manifest));
		await Promise.all(ofOne);
		const tools = await Promise.all([one.listTools(), two.listTools()]);
		await Promise.all([one.close(), two.close()]);
		return {
			before,
			ofOne: order,
			ofTwo,
			tools: tools.map((listed) => listed.map(({ name }) => name)),
		};
	},

	// Never answered: the visitor leaves while the mount waits.
	async leaveWhileMounting({ url }) {
		held = await connect();
		await held.mount("/kept", { entries: ENTRIES });
		return held.mount("/held", { url });
	},

	async goOn() {
		return {
			listed: await textOf(held.callTool("list_dir", { dir_path: "/kept" })),
			mounts: (await held.mounts()).length,
		};
	},

	async sources({ manifest, archive }) {
		const client = await connect();
		const bytes = new Uint8Array(await (await fetch(archive)).arrayBuffer());
		const file = new File(["chosen\n"], "chosen.txt", { lastModified: 1_000 });
		await client.mount("/archive", { archive: bytes });
		await client.mount("/blob", { archive: new Blob([bytes]) });
		await client.mount("/files", { files: [file] });
		await client.mount("/manifest", { url: manifest });
		const seen = {};
		for (const path of [
			"/archive/a.txt",
			"/blob/a.txt",
			"/files/chosen.txt",
			"/manifest/now.txt",
		]) {
			seen[path] = await textOf(
				client.callTool("read_file", { file_path: path }),
			);
		}
		await client.close();
		return seen;
	},

	async refusals({ held: url }) {
		const client = await connect();
		const left = new AbortController();
		const waiting = client.mount("/held", { url }, { signal: left.signal });
		setTimeout(() => left.abort());
		const told = {
			directory: await refusalOf(client.mount("/d", { directory: "/etc" })),
			config: await refusalOf(connect({ config: { tools: { nonsense: 1 } } })),
			abortedBefore: await refusalOf(
				client.callTool(
					"list_dir",
					{ dir_path: "/" },
					{ signal: AbortSignal.abort() },
				),
			),
			abortedMeanwhile: await refusalOf(waiting),
			mounts: (await client.mounts()).length,
			twice: await refusalOf(mountTwice(client)),
		};
		await client.close();
		return { ...told, closed: await refusalOf(client.listTools()) };
	},

	async callOften({ calls }) {
		for (let made = 0; made < calls; made += 1) {
			await atTop.callTool("list_directory", {
				path: "/repo",
				recursive: true,
			});
		}
		return calls;
	},
};

async function textOf(answer) {
	const { content } = await answer;
	return content;
}

async function settledByPromisesAlone(promise) {
	let isSettled = false;
	promise.then(() => {
		isSettled = true;
	});
	for (let turn = 0; turn < 1000 && !isSettled; turn += 1) {
		await null;
	}
	return isSettled;
}

async function mountTwice(client) {
	await client.mount("/same", { entries: {} });
	await client.mount("/same", { entries: {} });
}

async function refusalOf(promise) {
	try {
		await promise;
		return null;
	} catch (error) {
		return error instanceof TreeglassError
			? [error.name, error.message]
			: error.name;
	}
}

export default {
	async fetch(request) {
		const { pathname } = new URL(request.url);
		try {
			return Response.json(
				await stories[pathname.slice(1)](await request.json()),
			);
		} catch (error) {
			return new Response(`${error.stack}`, { status: 500 });
		}
	},
};
