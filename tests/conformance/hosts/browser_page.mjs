// The part of the browser host that runs in the page: the public API and nothing else.

import { connect } from "/index.js";

// A start or a call that takes longer than this hangs: the run should say so and go on.
const GIVE_UP_AFTER_MS = 60_000;

let client;

async function connectedWith(config, way) {
	const signal = AbortSignal.timeout(GIVE_UP_AFTER_MS);
	if (client === undefined) {
		client = await connect({ config, projectRoot: "/project", signal });
		if (client.start.way !== way) {
			throw new Error(`started from the ${client.start.way}: ${client.start.reason}`);
		}
	} else {
		await client.configure(config);
	}
	return client;
}

function bytesOf(base64) {
	return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}

function entryOf({ text, base64, ...rest }) {
	if (base64 !== undefined) {
		return { ...rest, content: bytesOf(base64) };
	}
	return text === undefined ? rest : { ...rest, content: text };
}

function sourceOf({ entries, archive, directory }) {
	if (directory !== undefined) {
		return { directory };
	}
	if (archive !== undefined) {
		return { archive: bytesOf(archive) };
	}
	return { entries: Object.fromEntries(entries.map(([path, entry]) => [path, entryOf(entry)])) };
}

async function answerOf(connected, { tool, args, options }) {
	try {
		if (tool === "") {
			const manifest = await connected.exportChanges({ format: "manifest" });
			await connected.discardChanges();
			return { manifest };
		}
		const signal = AbortSignal.timeout(GIVE_UP_AFTER_MS);
		return { result: await connected.callTool(tool, args, { ...options, signal }) };
	} catch (error) {
		return { thrown: String(error) };
	}
}

/** Mounts a tree, makes every call in turn, unmounts; answers with JSON text. */
export async function answerCalls({ way, config, source, calls }) {
	const connected = await connectedWith(config, way);
	try {
		// A page may mount what no Linux path can name; the tools still refuse to go there.
		await connected.mount("/project", sourceOf(source), { limits: { maxPathBytes: 16_384 } });
	} catch (error) {
		return JSON.stringify({ refused: String(error) });
	}
	const answers = [];
	for (const call of calls) {
		answers.push(await answerOf(connected, call));
	}
	await connected.unmount("/project");
	return JSON.stringify({ answers });
}

/** How long the client took from `connect` until it was ready. */
export function startMs() {
	return client.start.elapsedMs;
}

/** Ends the runtime of the page. */
export async function close() {
	await client?.close();
	client = undefined;
}
