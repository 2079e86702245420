import { cp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DateTimeValue } from '@rowkey/odata'
import { ClassicLevel } from 'classic-level'
import { describe, expect, it } from 'vitest'
import { DurableStore } from '../../../packages/local/src/durable/durable-store.ts'
import { crc32c, isTableFileWhole } from '../../../packages/local/src/durable/open-engine.ts'
import { TOTALS_KEY } from '../../../packages/local/src/durable/record-key.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { sealText } from '../../../packages/local/src/durable/sealed-text.ts'
import { StoreError } from '../../../packages/local/src/errors/store-error.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { temporaryFolder } from '../../support/local-folder.ts'
import { storedRow } from '../../support/stored-row.ts'

const ROWS = 60
/** The bytes at the end of a table file that say where its index is. */
const FOOTER_SIZE = 48
const storeIn = (folder: string) =>
  new DurableStore({ folder, flavour: 'storage', onOpen: () => undefined, report: expect.fail })

/** A folder with rows in the engine's table files, and more rows in its log. */
async function filledFolder(): Promise<string> {
  const folder = join(await temporaryFolder(), 'store')
  for (const partitionKey of ['a', 'b']) {
    const store = storeIn(folder)
    await store.createTable('contoso', 'people')
    const table = await store.findTable('contoso', 'people')
    for (let at = 0; at < ROWS; at++) {
      const key = { partitionKey, rowKey: String(at) }
      await table?.change([key], () => [storedRow(key, new DateTimeValue(at), new Map())])
    }
    await store.close()
  }
  return folder
}

/** Returns the number of rows in the store, or its error. */
async function opened(folder: string): Promise<number | StoreError> {
  const store = storeIn(folder)
  try {
    const table = await store.findTable('contoso', 'people')
    let count = 0
    await table?.scan(EVERYTHING, () => ++count > 0)
    return count
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  } finally {
    await store.close()
  }
}

/** Returns the number of rows in the store, or the code of its error. */
async function shown(folder: string): Promise<number | string> {
  const found = await opened(folder)
  return found instanceof StoreError ? found.code : found
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
  it('opens a closed store, and a copy of it', async () => {
    const folder = await filledFolder()
    expect(await shown(folder)).toBe(2 * ROWS)
    expect(await shown(await copyOf(folder))).toBe(2 * ROWS)
  })

  it('never serves a changed byte of any file', async () => {
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
      for (let at = 0; at < length; at += CASE_STEP * Math.ceil(length / 24)) {
        const copy = await copyOf(folder)
        await flipBit(join(copy, name), at)
        const outcome = await shown(copy)
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    }
    // A byte without a meaning, such as padding, changes nothing.
    outcomes.delete(2 * ROWS)
    expect([...outcomes.keys()]).toEqual(['StoreCorrupted'])
    expect(outcomes.get('StoreCorrupted')).toBeGreaterThan(36 / CASE_STEP)
  })

  it.each([
    ['a block of rows', () => 20],
    ['the index of the blocks', (length: number) => length - FOOTER_SIZE - 20],
  ])('finds a changed byte in %s of a table file before the engine reads it', async (_, at) => {
    const folder = await filledFolder()
    const name = (await dataFiles(folder)).find((file) => file.endsWith('.ldb')) ?? ''
    const { length } = await readFile(join(folder, name))
    await flipBit(join(folder, name), at(length))
    expect(String(await opened(folder))).toContain(`${name} has changed since it was written`)
  })

  it.skipIf(process.platform === 'win32')('lets only the owner read its files', async () => {
    const folder = await filledFolder()
    const store = storeIn(folder)
    await store.open()
    const names = await readdir(folder)
    const modes = await Promise.all(
      names.map(async (name) => (await stat(join(folder, name))).mode),
    )
    await store.close()
    expect(names.filter((_, at) => ((modes[at] ?? 0) & 0o077) !== 0)).toEqual([])
  })

  it('keeps rejecting a damaged store', async () => {
    const folder = await filledFolder()
    const log = (await dataFiles(folder)).find((name) => name.endsWith('.log')) ?? ''
    const { length } = await readFile(join(folder, log))
    await flipBit(join(folder, log), length - 3)
    expect([await shown(folder), await shown(folder)]).toEqual(['StoreCorrupted', 'StoreCorrupted'])
  })

  it.each(['.log', '.ldb', 'CURRENT', 'MANIFEST'])('reports a missing file: %s', async (kind) => {
    const folder = await filledFolder()
    const name = (await readdir(folder)).find((file) => file.includes(kind)) ?? ''
    await rm(join(folder, name))
    expect(await shown(folder)).toBe('StoreCorrupted')
  })

  it('reports commits that were cut off a closed store', async () => {
    const folder = await filledFolder()
    const log = (await dataFiles(folder)).find((name) => name.endsWith('.log')) ?? ''
    const { length } = await readFile(join(folder, log))
    await truncate(join(folder, log), length - 1)
    expect(await shown(folder)).toBe('StoreCorrupted')
  })

  describe('after the process was killed', () => {
    /** Copies the folder of an open store, which is what a killed process leaves. */
    const killedFolder = async () => {
      const folder = join(await temporaryFolder(), 'store')
      const store = storeIn(folder)
      await store.createTable('contoso', 'people')
      const table = await store.findTable('contoso', 'people')
      for (let at = 0; at < ROWS; at++) {
        const key = { partitionKey: 'a', rowKey: String(at) }
        await table?.change([key], () => [storedRow(key, new DateTimeValue(at), new Map())])
      }
      const copy = await copyOf(folder)
      await store.close()
      return copy
    }

    const logIn = async (folder: string) => {
      const name = (await readdir(folder)).find((file) => file.endsWith('.log')) ?? ''
      return join(folder, name)
    }

    const shownAfter = async (folder: string, change: (log: Buffer) => Buffer | undefined) => {
      const copy = await copyOf(folder)
      const path = await logIn(copy)
      const log = change(await readFile(path))
      if (log === undefined) await rm(path)
      else await writeFile(path, log)
      return shown(copy)
    }

    it('opens the store', async () => {
      expect(await shown(await killedFolder())).toBe(ROWS)
    })

    it.each<[string, (log: Buffer) => Buffer | undefined]>([
      ['missing', () => undefined],
      ['empty', () => Buffer.alloc(0)],
      ['all zeros', (log) => Buffer.alloc(log.length)],
      ['without its last byte', (log) => log.subarray(0, -1)],
      ['cut in half', (log) => log.subarray(0, log.length >> 1)],
      ['followed by itself', (log) => Buffer.concat([log, log])],
      [
        'followed by its first half',
        (log) => Buffer.concat([log, log.subarray(0, log.length >> 1)]),
      ],
    ])('reports a log that is %s', async (_, change) => {
      expect(await shownAfter(await killedFolder(), change)).toBe('StoreCorrupted')
    })

    it('reports a log that was cut at any place, and never serves an older store', async () => {
      const folder = await killedFolder()
      const { length } = await readFile(await logIn(folder))
      for (let cut = 0; cut < length; cut += CASE_STEP * Math.ceil(length / 40)) {
        expect(await shownAfter(folder, (log) => log.subarray(0, cut))).toBe('StoreCorrupted')
      }
    })

    it('opens a store that was killed before its first commit', async () => {
      const folder = join(await temporaryFolder(), 'store')
      const store = storeIn(folder)
      await store.open()
      const copy = await copyOf(folder)
      await store.close()
      expect(await shown(copy)).toBe(0)
    })

    it('opens a store without its commit file, by the count of its last opening', async () => {
      const folder = await killedFolder()
      await rm(join(folder, 'rowkey-store.commits'))
      expect(await shown(folder)).toBe(ROWS)
    })

    it('keeps reporting a damaged last commit, which the engine skips, also without the commit file', async () => {
      const folder = await killedFolder()
      await rm(join(folder, 'rowkey-store.commits'))
      const log = await logIn(folder)
      const { length } = await readFile(log)
      await flipBit(log, length - 3)
      const twice = [await shown(folder), await shown(folder)]
      expect(twice).toEqual(['StoreCorrupted', 'StoreCorrupted'])
    })

    it('reports a log that the engine ignores, also without the commit file', async () => {
      const folder = await killedFolder()
      await rm(join(folder, 'rowkey-store.commits'))
      const log = await logIn(folder)
      // The order of a folder's files is that of the system.
      await writeFile(join(folder, '000001.log'), '')
      await rename(log, join(folder, '000002.log'))
      await writeFile(join(folder, '000003.log'), '')
      expect(await shown(folder)).toBe('StoreCorrupted')
    })

    it('reports a damaged commit file', async () => {
      const folder = await killedFolder()
      await flipBit(join(folder, 'rowkey-store.commits'), 12)
      expect(await shown(folder)).toBe('StoreCorrupted')
    })
  })

  it('reports commits that were cut off a closed store, also without the commit file', async () => {
    const folder = await filledFolder()
    await rm(join(folder, 'rowkey-store.commits'))
    const log = (await dataFiles(folder)).find((name) => name.endsWith('.log')) ?? ''
    await truncate(join(folder, log), 0)
    expect(await shown(folder)).toBe('StoreCorrupted')
  })

  /** Without a part in the sum of the checksums: its own is 0. */
  const unsummed = '0010001110111110000000000110011000000000'

  it.each([
    ['damaged as the totals', TOTALS_KEY, sealText(' a', '{}'), 'a record has changed'],
    ['missing from the count only', ' b', undefined, '3 records were written, and 2 are left'],
    ['changed', ' b', sealText(' a', 'b'), 'a record has changed since it was written'],
    ['older', ' a', sealText(' a', 'old'), '3 records were written, and 3 are left'],
    ['missing', ' a', undefined, '3 records were written, and 2 are left'],
    ['added', ' d', sealText(' d', 'd'), '3 records were written, and 4 are left'],
  ])(
    'reports a record that is %s, although all files are whole',
    async (_, key, value, message) => {
      const folder = await temporaryFolder()
      const records = await Records.open(folder)
      for (const text of ['old', 'new']) {
        await records.commit((draft) => {
          for (const each of [' a', ' c']) draft.put(each, text)
          draft.put(' b', unsummed)
        })
      }
      await records.close()
      const engine = new ClassicLevel(folder, { compression: false })
      if (value === undefined) await engine.del(key)
      else await engine.put(key, value)
      await engine.close()
      await expect(Records.open(folder)).rejects.toMatchObject({
        code: 'StoreCorrupted',
        message: expect.stringContaining(message),
      })
    },
  )

  it('reports two table files that were exchanged, although both are whole', async () => {
    const folder = await temporaryFolder()
    // The file of the first row has the same length as that of the second: the totals have as many digits.
    for (const row of [' a', ' e']) {
      const records = await Records.open(folder)
      await records.commit((draft) => draft.put(row, 'text'))
      await records.close()
    }
    await (await Records.open(folder)).close()
    const [first = '', second = ''] = (await dataFiles(folder))
      .filter((name) => name.endsWith('.ldb'))
      .map((name) => join(folder, name))
    const sizes = await Promise.all([first, second].map(async (file) => (await stat(file)).size))
    expect(sizes[0]).toBe(sizes[1])
    await rename(first, `${first}.away`)
    await rename(second, first)
    await rename(`${first}.away`, second)
    await expect(Records.open(folder)).rejects.toMatchObject({ code: 'StoreCorrupted' })
  })

  it('rejects a folder below a file', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    for (const folder of [file, join(file, 'below')]) {
      expect(await shown(folder)).toBe('InvalidStoreFolder')
    }
  })
})

/**
 * A table file of the engine. The engine writes it when it opens the folder again, from its log.
 */
async function tableFile(rows = 200): Promise<Buffer> {
  const folder = await temporaryFolder()
  for (let round = 0; round < 2; round++) {
    const records = await Records.open(folder)
    await records.commit((draft) => {
      for (let at = 0; at < rows; at++) draft.put(`${round}-${at}`, 'x'.repeat(50 + (at % 7)))
    })
    await records.close()
  }
  const name = (await readdir(folder)).find((file) => file.endsWith('.ldb')) ?? ''
  return readFile(join(folder, name))
}

describe('isTableFileWhole', () => {
  it('finds every changed byte before the footer', async () => {
    const file = await tableFile()
    expect(isTableFileWhole(file)).toBe(true)
    for (let at = 0; at < file.length - FOOTER_SIZE; at += 37) {
      const damaged = Buffer.from(file)
      damaged[at] = (damaged[at] ?? 0) ^ 1
      expect([at, isTableFileWhole(damaged)]).toEqual([at, false])
    }
  })

  it('accepts blocks at any place, whichever bytes their offsets have', async () => {
    const file = await tableFile(20_000)
    expect(isTableFileWhole(file)).toBe(true)
  })

  it('never reads outside of a file whose footer was changed', async () => {
    const file = await tableFile()
    const outcomes = new Set<boolean>()
    for (let at = file.length - FOOTER_SIZE; at < file.length; at++) {
      for (const bit of [1, 0x80]) {
        const damaged = Buffer.from(file)
        damaged[at] = (damaged[at] ?? 0) ^ bit
        outcomes.add(isTableFileWhole(damaged))
      }
    }
    // Padding has no meaning, and a file with another end is not a table file.
    expect(outcomes).toEqual(new Set([true, false]))
  })

  it('leaves an incomplete file to the engine', async () => {
    const file = await tableFile()
    expect(isTableFileWhole(file.subarray(0, file.length - 1))).toBe(true)
    expect(isTableFileWhole(Buffer.alloc(0))).toBe(true)
  })
})

describe('crc32c', () => {
  it.each([
    ['123456789', 0xe3069283],
    ['\0'.repeat(32), 0x8a9136aa],
    ['', 0],
  ])('is the CRC-32C of %j', (text, expected) => {
    expect(crc32c(Buffer.from(text))).toBe(expected)
  })
})
