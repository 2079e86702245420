import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTimeValue } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { WrittenEntity } from '../../../../packages/local/src/entity/written-entity.ts'
import { StoreError } from '../../../../packages/local/src/errors/store-error.ts'
import { DurableStore } from '../../../../packages/local/src/store/durable/durable-store.ts'
import { EVERYTHING } from '../../../../packages/local/src/store/key-range.ts'
import { temporaryFolder } from '../../../support/local-folder.ts'

const ROWS = 60
const storeIn = (folder: string) =>
  new DurableStore({ folder, onOpen: () => undefined, report: expect.fail })

/** A folder with rows in the engine's table files and others in its log. */
async function filledFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'store')
  for (const partitionKey of ['a', 'b']) {
    const store = storeIn(folder)
    await store.createTable('contoso', 'people')
    const table = await store.findTable('contoso', 'people')
    for (let at = 0; at < ROWS; at++) {
      const key = { partitionKey, rowKey: String(at) }
      await table?.change([key], () => [new WrittenEntity(key, new DateTimeValue(at), new Map())])
    }
    await store.close()
  }
  return folder
}

/** How many rows the store shows, or the code of its refusal. */
async function shown(folder: string): Promise<number | string> {
  const store = storeIn(folder)
  try {
    const table = await store.findTable('contoso', 'people')
    let count = 0
    await table?.scan(EVERYTHING, () => ++count > 0)
    return count
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  } finally {
    await store.close()
  }
}

async function copyOf(folder: string): Promise<string> {
  const copy = `${folder}-copy`
  await rm(copy, { recursive: true, force: true })
  await cp(folder, copy, { recursive: true })
  return copy
}

async function flipBit(file: string, at: number): Promise<void> {
  const bytes = await readFile(file)
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
  await writeFile(file, bytes)
}

const dataFiles = async (folder: string) =>
  (await readdir(folder)).filter((name) => /\.(log|ldb)$|^MANIFEST/.test(name))

describe('openEngine', () => {
  it('opens what was closed, and its copy', async () => {
    const folder = await filledFolder()
    expect(await shown(folder)).toBe(2 * ROWS)
    expect(await shown(await copyOf(folder))).toBe(2 * ROWS)
  })

  it('never serves what is not as it was written, whichever byte of whichever file is another', async () => {
    const folder = await filledFolder()
    const names = await dataFiles(folder)
    expect(names.map((name) => name.replace(/\d+/, '')).sort()).toEqual([
      '.ldb',
      '.log',
      'MANIFEST-',
    ])
    const outcomes = new Map<number | string, number>()
    for (const name of names) {
      const { length } = await readFile(join(folder, name))
      for (let at = 0; at < length; at += Math.ceil(length / 24)) {
        const copy = await copyOf(folder)
        await flipBit(join(copy, name), at)
        const outcome = await shown(copy)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    // A byte that nothing depends on, such as padding, changes nothing.
    outcomes.delete(2 * ROWS)
    expect([...outcomes.keys()]).toEqual(['StoreCorrupted'])
    expect(outcomes.get('StoreCorrupted')).toBeGreaterThan(36)
  })

  it('goes on refusing what it found damaged once', async () => {
    const folder = await filledFolder()
    const log = (await dataFiles(folder)).find((name) => name.endsWith('.log')) ?? ''
    const { length } = await readFile(join(folder, log))
    await flipBit(join(folder, log), length - 3)
    expect([await shown(folder), await shown(folder)]).toEqual(['StoreCorrupted', 'StoreCorrupted'])
  })

  it.each(['.log', '.ldb', 'CURRENT', 'MANIFEST'])(
    'misses a file that is gone: %s',
    async (kind) => {
      const folder = await filledFolder()
      const name = (await readdir(folder)).find((file) => file.includes(kind)) ?? ''
      await rm(join(folder, name))
      expect(await shown(folder)).toBe('StoreCorrupted')
    },
  )

  it('misses commits that were cut off a closed store', async () => {
    const folder = await filledFolder()
    const log = (await dataFiles(folder)).find((name) => name.endsWith('.log')) ?? ''
    const { length } = await readFile(join(folder, log))
    await truncate(join(folder, log), length - 1)
    expect(await shown(folder)).toBe('StoreCorrupted')
  })

  it('refuses a folder that lies below a file', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    for (const folder of [file, join(file, 'below')]) {
      expect(await shown(folder)).toBe('InvalidStoreFolder')
    }
  })
})
