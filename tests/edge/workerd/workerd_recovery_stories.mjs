// A Worker that tells stories of its interpreter: POST /NAME with the story's arguments, as JSON.
import { connect, run, startedCount } from "./treeglass/internals.js";

const TREE = { entries: { "a.txt": "a\n" } };

/** A client that several visits share. */
let held = null;

const STATE = "import random; str(hash(random.getstate()))";

const MODELS = `
import json
import treeglass.search
from pydantic import BaseModel
class Made(BaseModel):
    size: int
json.dumps(Made.model_json_schema()["required"])
`;

const DOOM = `
import os
from treeglass.bridge import bridge
result = bridge.Bridge._result
def result_or_death(self, request):
    return os.abort() if "/dies" in repr(request) else result(self, request)
bridge.Bridge._result = result_or_death
`;

const stories = {
	// Never heard: the visitor leaves at once.
	async start() {
		await connect();
		return startedCount();
	},

	async chance() {
		const client = await connect();
		const states = [run(STATE)];
		for (let call = 0; call < 2; call += 1) {
			await listed(client, "/");
			states.push(run(STATE));
		}
		const drawn = [1, 2].map(() => run("import os; os.urandom(16).hex()"));
		return {
			isSeededByTheFirst: states[0] !== states[1],
			isSeededOnce: states[1] === states[2],
			lengths: drawn.map(({ length }) => length),
			differ: drawn[0] !== drawn[1],
			startedCount: startedCount(),
		};
	},

	async lateModules() {
		return JSON.parse(run(MODELS));
	},

	async mountBoth({ archive }) {
		held = await connect();
		await held.mount("/kept", TREE);
		await held.mount("/archive", { url: archive });
		return startedCount();
	},

	async die() {
		run(DOOM);
		return refusalOf(listed(held, "/dies"));
	},

	async goOn() {
		return {
			kept: await listed(held, "/kept"),
			archive: await listed(held, "/archive"),
			startedCount: startedCount(),
		};
	},
};

async function listed(client, path) {
	const { content } = await client.callTool("list_dir", { dir_path: path });
	return content;
}

async function refusalOf(promise) {
	try {
		await promise;
		return null;
	} catch ({ name, message }) {
		return [name, message];
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
