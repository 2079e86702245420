import { spawnSync } from 'node:child_process'
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { Conversation, rejectionOf } from '../../support/local-conversation.ts'
import { temporaryFolder } from '../../support/local-folder.ts'

const GONE =
  'The store cannot be read or written: the folder or its files were removed, moved or replaced while it was open, so writes would be lost. Bring it back or give another one, and start again.'

const COMMITS = 'rowkey-store.commits'

/** A service on a folder with one row, and a function that inserts more. */
async function openService(above?: string) {
  const folder = join(above ?? (await temporaryFolder()), 'data')
  const reported: unknown[] = []
  const service = new Conversation({
    data: folder,
    onInternalError: (error) => reported.push(error),
  })
  onTestFinished(() => service.local.close())
  const insert = (RowKey: string) =>
    service.send('POST', '/people', { body: { PartitionKey: 'p', RowKey } })
  await service.send('POST', '/Tables', { body: { TableName: 'people' } })
  expect((await insert('first')).status).toBe(201)
  return { folder, service, reported, insert }
}

it('a service acknowledges no write after its folder was removed', async () => {
  const { folder, reported, insert } = await openService()
  await rm(folder, { recursive: true })
  for (const row of ['a', 'b']) {
    expect(rejectionOf(await insert(row))).toEqual([500, 'InternalError', GONE])
  }
  expect(reported).toEqual(Array(2).fill(expect.objectContaining({ code: 'StoreAccessFailed' })))
})

it('a service acknowledges no write after the log in its folder was removed', async () => {
  const { folder, insert } = await openService()
  for (let at = 0; at < 40; at++) expect((await insert(`${at}`)).status).toBe(201)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.log'))
  for (const name of names) await rm(join(folder, name))
  for (const row of ['a', 'b']) {
    expect(rejectionOf(await insert(row))).toEqual([500, 'InternalError', GONE])
  }
})

it('a service acknowledges no write after a copy took the place of its folder', async () => {
  const { folder, insert } = await openService()
  await cp(folder, `${folder}-copy`, { recursive: true })
  await rename(folder, `${folder}-moved`)
  await rename(`${folder}-copy`, folder)
  for (const row of ['a', 'b']) {
    expect(rejectionOf(await insert(row))).toEqual([500, 'InternalError', GONE])
  }
})

it('a service acknowledges no write after another disk was mounted over its own', async ({
  skip,
}) => {
  const mount = (folder: string) => {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder])
    if (status !== 0) skip('a disk can be mounted by the administrator of a Linux machine only')
    onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  }
  const above = await temporaryFolder()
  mount(above)
  const { folder, insert } = await openService(above)
  const kept = join(await temporaryFolder(), 'copy')
  await cp(folder, kept, { recursive: true })
  const { ino } = await stat(join(folder, COMMITS))
  mount(above)
  // Each disk numbers its files from the first on: the file gets the number that it has on the other disk.
  await mkdir(folder)
  for (let at = 0; ; at++) {
    await writeFile(join(folder, COMMITS), '')
    if ((await stat(join(folder, COMMITS))).ino === ino) break
    if (at === 100) skip('this system numbers the files of a disk otherwise')
    await rename(join(folder, COMMITS), join(folder, `other-${at}`))
  }
  await cp(kept, folder, { recursive: true, filter: (name) => !name.endsWith(COMMITS) })
  await writeFile(join(folder, COMMITS), await readFile(join(kept, COMMITS)))
  expect((await stat(join(folder, COMMITS))).ino).toBe(ino)
  expect(rejectionOf(await insert('a'))).toEqual([500, 'InternalError', GONE])
})

it('a service leaves alone the folder that replaces its own', async () => {
  const { folder, service, insert } = await openService()
  await rm(folder, { recursive: true })
  await mkdir(folder)
  expect((await insert('a')).status).toBe(500)
  expect((await service.send('POST', '/Tables', { body: { TableName: 'other' } })).status).toBe(500)
  await service.local.close()
  expect(await readdir(folder)).toEqual([])
})

it('a service writes again when its folder is back', async () => {
  const { folder, service, insert } = await openService()
  await rename(folder, `${folder}-moved`)
  expect((await insert('a')).status).toBe(500)
  await rename(`${folder}-moved`, folder)
  expect((await insert('b')).status).toBe(201)
  const { body } = await service.send('GET', '/people()?$select=RowKey')
  expect(JSON.parse(body).value).toMatchObject([{ RowKey: 'b' }, { RowKey: 'first' }])
})
