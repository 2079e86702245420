import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../packages/local/src/durable/store-folder.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

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
