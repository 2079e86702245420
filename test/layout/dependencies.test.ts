import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

interface Manifest {
  readonly dependencies?: Record<string, string>
  readonly devDependencies?: Record<string, string>
  readonly peerDependencies?: Record<string, string>
}

const manifests = [
  'package.json',
  'bench/package.json',
  'site/package.json',
  'test/peers/package.json',
  'test/browsers/package.json',
  ...readdirSync(`${root}packages`).map((name) => `packages/${name}/package.json`),
].map((file): Manifest => JSON.parse(readFileSync(root + file, 'utf8')))

const packageManifests = manifests.slice(5)

const needed = manifests
  .flatMap(({ dependencies, devDependencies, peerDependencies }) =>
    Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies }),
  )
  .filter((name) => !/^(?:@rowkey\/|rowkey$)/.test(name))

const page = readFileSync(`${root}docs/project/dependencies.md`, 'utf8')

/** The names in the first column, without their remarks: `msw (optional; you install it)`. */
const explained = [...page.matchAll(/^\| (?!package|---)([^|]+) \|/gm)].flatMap(([, cell = '']) =>
  cell.split(', ').map((name) => name.replace(/ .*/, '')),
)

describe('docs/project/dependencies.md', () => {
  it('explains every dependency, and nothing else', () => {
    expect(sorted(explained)).toEqual(sorted(needed))
  })

  it('does not repeat the versions of package.json', () => {
    expect(page).not.toMatch(/\d+\.\d+\.\d+/)
  })
})

describe('the packages', () => {
  it('R-110: have no client of blobs, queues, leases or disks among their dependencies', () => {
    const names = packageManifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {}))
    expect(names.length).toBeGreaterThan(5)
    expect(names.filter((name) => /^@azure\/|blob|queue|lease|disk/.test(name))).toEqual([])
  })
})

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort()
}
