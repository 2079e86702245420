import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { TOOLS } from '../../scripts/tools.ts'
import { root } from './source-files.ts'

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(`${root}package.json`, 'utf8'),
)
const OF_OTHERS = /node_modules|^test\/consumers\/projects|\.vitepress\/(?:cache|dist)|^site\/dist/
const FOLDERS = ['.github', 'bench', 'docs', 'scripts', 'site', 'test']

const files = [
  ...readdirSync(root).filter((path) => /\.(?:md|ts|json)$/.test(path)),
  ...FOLDERS.flatMap((folder) =>
    readdirSync(root + folder, { recursive: true, encoding: 'utf8' }).map(
      (path) => `${folder}/${path}`,
    ),
  ).filter((path) => /\.(?:md|m?ts|mjs|yml)$/.test(path)),
].filter((path) => !OF_OTHERS.test(path))

it('every `npm run` names a script, and every tool that it names exists', () => {
  const named = files.flatMap((path) =>
    Array.from(
      readFileSync(root + path, 'utf8').matchAll(
        /npm run (?:--?s(?:ilent)? )?(?:tool (?:-- )?([\w-]+)|([a-z][\w:-]*))/g,
      ),
      ([text, tool, script = 'tool']) => ({ path, text, tool, script }),
    ),
  )
  expect(named.length).toBeGreaterThan(100)
  const unknown = named.filter(
    ({ tool, script }) =>
      scripts[script] === undefined || (tool !== undefined && TOOLS[tool] === undefined),
  )
  expect(unknown.map(({ path, text }) => `${path}: ${text}`)).toEqual([])
})
