// Applies patches by jsdiff, the npm package diff: `node jsdiff_apply.mjs IN OUT`.
// It runs in `web/`, which has the package. A tree is an object of paths, each with the content as
// text and the mode as Git has it.

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const { applyPatch, parsePatch } = createRequire(`${process.cwd()}/`)('diff')
const [, , from, to] = process.argv

const pathOf = (name) => name.replace(/^[ab]\//, '')

function applied({ before, patch }) {
  const after = { ...before }
  const written = []
  for (const file of parsePatch(patch)) {
    const isNew = file.isCreate || file.oldFileName === '/dev/null'
    const old = isNew ? { content: '', mode: '100644' } : before[pathOf(file.oldFileName)]
    const content = applyPatch(old.content, file)
    if (content === false) {
      throw new Error(`${file.newFileName} does not fit`)
    }
    if (!isNew) {
      delete after[pathOf(file.oldFileName)]
    }
    if (!file.isDelete && file.newFileName !== '/dev/null') {
      written.push([pathOf(file.newFileName), { content, mode: file.newMode ?? old.mode }])
    }
  }
  return Object.assign(after, Object.fromEntries(written))
}

function outcome(given) {
  try {
    return applied(given)
  } catch (error) {
    return { fault: String(error.message ?? error) }
  }
}

writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, 'utf8')).map(outcome)))
