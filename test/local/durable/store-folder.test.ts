import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  logSize,
  makeFolder,
  prepareFolder,
  readFolder,
  recordCommits,
} from '../../../packages/local/src/durable/store-folder.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const FILE = 'rowkey-store.json'

describe('prepareFolder', () => {
  it('prepares an empty folder, even when it is locked', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'rowkey-store.lock'))
    expect(await prepareFolder(folder)).toEqual({ format: 2 })
    expect(await readFolder(folder)).toEqual({ format: 2 })
  })

  it('reads the recorded number of commits', async () => {
    const folder = await temporaryFolder()
    await prepareFolder(folder)
    await recordCommits(folder, 12)
    expect(await prepareFolder(folder)).toEqual({ format: 2, commits: 12 })
    expect(await readFile(join(folder, FILE), 'utf8')).toBe('{"format":2,"commits":12}\n')
  })

  it('continues where another process ended while it made the folder', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, `${FILE}.new`), '{"form')
    expect(await prepareFolder(folder)).toEqual({ format: 2 })
  })

  it('takes a new folder with what file systems, version control and macOS leave there', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, 'lost+found'))
    for (const name of ['.gitkeep', '.DS_Store']) await writeFile(join(folder, name), '')
    expect(await prepareFolder(folder)).toEqual({ format: 2 })
    expect(await readdir(folder)).toContain('lost+found')
  })

  it('rejects a folder with other files, and changes nothing in it', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'thesis.txt'), 'mine')
    await expect(prepareFolder(folder)).rejects.toMatchObject({
      code: 'InvalidStoreFolder',
      message: expect.stringContaining('thesis.txt'),
    })
    await expect(readFile(join(folder, FILE))).rejects.toThrow('ENOENT')
  })

  it.each([
    ['', 'has changed'],
    ['null', 'has changed'],
    ['{', 'has changed'],
    ['{}', 'has changed'],
    ['{"format":"1"}', 'has changed'],
    ['{"format":2,"commits":"x"}', 'has changed'],
    ['{"format":2,"comm1ts":4}', 'has changed'],
    ['{"format":1}', 'has format 1'],
    ['{"format":3,"checksums":"crc"}', 'has format 3'],
  ])('rejects the file %s, which %s', async (text, found) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, FILE), text)
    await expect(prepareFolder(folder)).rejects.toMatchObject({
      code: 'InvalidStoreFolder',
      message: expect.stringContaining(found),
    })
  })

  it('does not take a file that it cannot read for a missing one', async () => {
    const folder = await temporaryFolder()
    await mkdir(join(folder, FILE))
    await expect(prepareFolder(folder)).rejects.toMatchObject({ code: 'EISDIR' })
  })

  it('says what to do with a folder of another version', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, FILE), '{"format":1,"commits":4}')
    await expect(prepareFolder(folder)).rejects.toThrow(
      'it has format 1, and this version of @rowkey/local supports format 2. Give a new folder, or use the version that made this one',
    )
  })
})

describe('readFolder', () => {
  it('finds no store in an empty folder, and leaves it empty', async () => {
    const folder = await temporaryFolder()
    expect(await readFolder(folder)).toBeUndefined()
    expect(await readdir(folder)).toEqual([])
  })

  it('reads the file of a store', async () => {
    const folder = await temporaryFolder()
    await prepareFolder(folder)
    await recordCommits(folder, 3)
    expect(await readFolder(folder)).toEqual({ format: 2, commits: 3 })
  })

  it('rejects a folder with other files', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'thesis.txt'), 'mine')
    await expect(readFolder(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
  })
})

describe('logSize', () => {
  it('adds up the logs of the engine only', async () => {
    const folder = await temporaryFolder()
    expect(await logSize(folder)).toBe(0)
    const sizes = { '000003.log': 10, '000007.log': 200, 'LOG.log': 5, '000004.ldb': 7 }
    for (const [name, size] of Object.entries(sizes)) {
      await writeFile(join(folder, name), Buffer.alloc(size))
    }
    expect(await logSize(folder)).toBe(210)
  })
})

describe('makeFolder', () => {
  it('makes a folder and those above it, even several at once', async () => {
    const root = await temporaryFolder()
    const folder = join(root, 'a', 'b', 'c')
    await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(join(root, 'a', 'd'))])
    expect((await readdir(join(root, 'a'))).toSorted()).toEqual(['b', 'd'])
    expect(await readdir(folder)).toEqual([])
  })

  it('accepts an existing folder, and a link to one', async () => {
    const root = await temporaryFolder()
    await symlink(root, join(root, 'alias'))
    await makeFolder('/')
    await makeFolder(root)
    await makeFolder(join(root, 'alias', 'below'))
    expect(await readdir(root)).toContain('below')
  })

  it('rejects a file, a path below a file, and a broken link', async () => {
    const root = await temporaryFolder()
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'gone', 'away'), join(root, 'dangling'))
    await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(root, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(makeFolder(join(root, 'dangling'))).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/y', '/proc/self/fd/x'])(
    'ends where the system allows no folder: %s',
    async (folder) => {
      await expect(makeFolder(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    },
  )
})
