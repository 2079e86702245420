import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { packageNames, root } from './source-files.ts'

const folder = `${root}.github/workflows/`

const workflows = readdirSync(folder).map((name) => ({
  name,
  text: readFileSync(folder + name, 'utf8'),
}))

const workflow = (name: string) => workflows.find((file) => file.name === name)?.text ?? ''

describe('the workflows', () => {
  it('pin each action by its commit, with the version beside it', () => {
    const actions = workflows.flatMap(({ text }) =>
      Array.from(text.matchAll(/uses: (.*)/g), ([, action = '']) => action),
    )
    expect(actions.length).toBeGreaterThan(10)
    const loose = actions.filter(
      (action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action),
    )
    expect(loose).toEqual([])
  })

  it('pin one commit for each version of an action', () => {
    const pins = workflows.flatMap(({ text }) =>
      Array.from(text.matchAll(/uses: ([\w/-]+)@(\w+)/g), ([, action = '', commit = '']) => [
        action,
        commit,
      ]),
    )
    expect(new Set(pins.map(String)).size).toBe(new Set(pins.map(([action]) => action)).size)
  })

  it('publish without a token, as a trusted publisher of npm', () => {
    const release = workflow('release.yml')
    expect(release).toContain('id-token: write')
    expect(release).toMatch(/npm install --global npm@11\.\d+\.\d+\n\s+- run: npm publish /)
    expect(workflows.filter(({ text }) => text.includes('secrets.'))).toEqual([])
  })

  it.each(['ci.yml', 'nightly.yml'])('%s audits the lock file of the workspace', (name) => {
    expect(workflow(name)).toContain('- run: npm audit --package-lock-only\n')
  })
})

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}

const lock: Lock = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'))

const bundled = packageNames.flatMap((name) => {
  const files = readdirSync(`${root}packages/${name}`)
  if (!files.includes('THIRD-PARTY.md')) return []
  const text = readFileSync(`${root}packages/${name}/THIRD-PARTY.md`, 'utf8')
  const rows = text.matchAll(/^\| ([@\w/-]+) \| (\d+\.\d+\.\d+) \|/gm)
  return Array.from(rows, ([, third = '', version = '']) => ({ name, third, version }))
})

describe('the bundled packages', () => {
  it('are listed', () => {
    expect(bundled.map(({ third }) => third)).toContain('fast-xml-parser')
  })

  it.each(bundled)('$third of $name has the version of the lock file', ({ third, version }) => {
    expect(lock.packages[`node_modules/${third}`]?.version).toBe(version)
  })
})
