import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../../../packages/local/src/durable/claim-folder.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

describe('makeFolder', () => {
  it('makes a folder with those above it, also several at once', async () => {
    const root = await temporaryFolder()
    const folder = join(root, 'a', 'b', 'c')
    await Promise.all([makeFolder(folder), makeFolder(folder), makeFolder(join(root, 'a', 'd'))])
    expect((await readdir(join(root, 'a'))).toSorted()).toEqual(['b', 'd'])
    expect(await readdir(folder)).toEqual([])
  })

  it('takes what is there, and what a link leads to', async () => {
    const root = await temporaryFolder()
    await symlink(root, join(root, 'alias'))
    await makeFolder('/')
    await makeFolder(root)
    await makeFolder(join(root, 'alias', 'below'))
    expect(await readdir(root)).toContain('below')
  })

  it('refuses a file, what is below one, and a link that leads nowhere', async () => {
    const root = await temporaryFolder()
    await writeFile(join(root, 'file'), '')
    await symlink(join(root, 'gone', 'away'), join(root, 'dangling'))
    await expect(makeFolder(join(root, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(makeFolder(join(root, 'file', 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    await expect(makeFolder(join(root, 'dangling'))).rejects.toMatchObject({ code: 'EEXIST' })
  })

  it.runIf(process.platform === 'linux').each(['/proc/x', '/proc/x/y', '/proc/self/fd/x'])(
    'ends where the system lets nobody make a folder: %s',
    async (folder) => {
      await expect(makeFolder(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    },
  )
})
