import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { Server } from 'node:net'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { claimFolder } from '../../../packages/local/src/durable/claim-folder.ts'
import { Records } from '../../../packages/local/src/durable/records.ts'
import { buildPrograms } from '../../../scripts/built-programs.ts'
import { longTest } from '../../support/cases-to-play.ts'
import { openIn, temporaryFolder } from '../../support/local-folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const locked = expect.objectContaining({ code: 'StoreLocked' })

const program = 'test/support/open-store.ts'
const built = (await buildPrograms([program], 'claims'))(program)

/** Asks a program that waits to open a store, and returns the outcome. */
async function outcomeOf(stdin: Writable, stdout: Readable): Promise<string> {
  const lines = createInterface(stdout)[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  stdin.write('go\n')
  return (await lines.next()).value
}

/** Opens a store in another process, which keeps it open. */
async function openInProcess(folder: string, ...above: readonly string[]) {
  const [command = '', ...rest] = [...above, process.execPath, built, folder]
  const child = spawn(command, rest, {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return { child, outcome: await outcomeOf(child.stdin, child.stdout) }
}

/** Opens a store in a thread of this process, which keeps it open. */
async function openInThread(folder: string, file = built) {
  const thread = new Worker(file, { argv: [folder], stdin: true, stdout: true })
  onTestFinished(async () => void (await thread.terminate()))
  const { stdin, stdout } = thread
  return { thread, outcome: await outcomeOf(stdin ?? expect.fail('no stdin'), stdout) }
}

/** Returns a symlink to a folder. */
async function aliasOf(folder: string): Promise<string> {
  const alias = join(await temporaryFolder(), 'alias')
  await symlink(folder, alias)
  return alias
}

/** Copies the program and the engine, as a second installation has them. */
async function secondCopy(): Promise<string> {
  const folder = await temporaryFolder()
  await cp(dirname(dirname(dirname(built))), folder, { recursive: true })
  const modules = join(root, 'node_modules')
  const engine = join(folder, 'node_modules', 'classic-level')
  await cp(join(modules, 'classic-level'), engine, { recursive: true })
  const { dependencies } = JSON.parse(await readFile(join(engine, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    await symlink(join(modules, name), join(folder, 'node_modules', name))
  }
  return join(folder, program.replace(/\.ts$/, '.mjs'))
}

const write = (records: Records, key: string) =>
  records.commit((draft) => draft.put(`t/${key}`, key))

describe('claimFolder', () => {
  it('gives a folder to one store at a time, whichever path leads to it', async () => {
    const folder = await temporaryFolder()
    const { path, release } = await claimFolder(folder)
    expect(path).toBe(folder)
    const alias = await aliasOf(folder)
    await expect(claimFolder(folder)).rejects.toEqual(locked)
    await expect(claimFolder(alias)).rejects.toEqual(locked)
    await release()
    const again = await claimFolder(alias)
    expect(again.path).toBe(folder)
    await again.release()
  })

  longTest(
    'keeps out threads, by a symlink and by a second copy, and processes',
    async () => {
      const folder = await temporaryFolder()
      const alias = await aliasOf(folder)
      const records = await Records.open(folder)
      expect((await openInThread(alias)).outcome).toBe('StoreLocked')
      const copy = await secondCopy()
      expect((await openInThread(folder, copy)).outcome).toBe('StoreLocked')
      expect((await openInThread(alias, copy)).outcome).toBe('StoreLocked')
      await expect(Records.open(alias)).rejects.toEqual(locked)
      expect((await openInProcess(folder)).outcome).toBe('StoreLocked')
      expect((await openInProcess(alias)).outcome).toBe('StoreLocked')
      for (let at = 0; at < 100; at++) await write(records, `${at}`)
      await records.close()
      const reopened = await Records.open(alias)
      expect(await reopened.get('t/99')).toBe('99')
      await reopened.close()
    },
    60_000,
  )

  longTest(
    'keeps out a process of another container, which writes alone once the locks are deleted',
    async ({ skip }) => {
      if (spawnSync('unshare', ['--net', 'true']).status !== 0) {
        skip('a container can be made by the administrator of a Linux machine only')
      }
      const folder = await temporaryFolder()
      const records = await Records.open(folder)
      await write(records, 'a')
      const container = ['unshare', '--net']
      expect((await openInProcess(folder, ...container)).outcome).toBe('StoreLocked')
      // As one does who takes the locks for those of a process that ended.
      await rm(join(folder, 'rowkey-store.lock'), { recursive: true })
      await rm(join(folder, 'LOCK'))
      expect((await openInProcess(folder, ...container)).outcome).toBe('opened')
      await expect(write(records, 'b')).rejects.toMatchObject({ code: 'StoreAccessFailed' })
      await records.close()
    },
    60_000,
  )

  it('keeps out threads by a bind mount', async ({ skip }) => {
    const folder = await temporaryFolder()
    const mounted = await temporaryFolder()
    const { status } = spawnSync('mount', ['--bind', folder, mounted])
    if (status !== 0) skip('a folder can be mounted by the administrator of a Linux machine only')
    onTestFinished(() => void spawnSync('umount', ['--lazy', mounted]))
    const { release } = await claimFolder(folder)
    expect((await openInThread(mounted)).outcome).toBe('StoreLocked')
    await expect(claimFolder(mounted)).rejects.toEqual(locked)
    await release()
  })

  it('opens a folder at once after its process was killed', async () => {
    const folder = await temporaryFolder()
    const { child, outcome } = await openInProcess(await aliasOf(folder))
    expect(outcome).toBe('opened')
    await expect(claimFolder(folder)).rejects.toEqual(locked)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const { release } = await claimFolder(folder)
    await release()
  })

  it('opens a folder at once after its thread ended', async () => {
    const folder = await temporaryFolder()
    const { thread, outcome } = await openInThread(folder)
    expect(outcome).toBe('opened')
    await expect(claimFolder(folder)).rejects.toEqual(locked)
    await thread.terminate()
    const { release } = await claimFolder(folder)
    await release()
  })

  it('keeps a folder that is moved while it is open', async () => {
    const folder = await temporaryFolder()
    const { release } = await claimFolder(folder)
    const moved = join(await temporaryFolder(), 'moved')
    await rename(folder, moved)
    await expect(claimFolder(moved)).rejects.toEqual(locked)
    await release()
    const again = await claimFolder(moved)
    await again.release()
  })

  it('changes nothing in a folder that contains something else', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'thesis.txt'), 'mine')
    await expect(claimFolder(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    expect(await readdir(folder)).toEqual(['thesis.txt'])
  })

  it('makes no folder when the engine is not installed', async () => {
    const above = await temporaryFolder()
    const missing = (): never => {
      throw new Error("Cannot find module 'classic-level'")
    }
    vi.spyOn(process, 'getBuiltinModule').mockReturnValueOnce({ createRequire: () => missing })
    await expect(claimFolder(join(above, 'store'))).rejects.toMatchObject({
      code: 'StoreEngineMissing',
    })
    expect(await readdir(above)).toEqual([])
  })

  it('gives back a folder that it cannot lock', async () => {
    const folder = await temporaryFolder()
    const lock = join(folder, 'rowkey-store.lock')
    await writeFile(lock, '')
    await expect(claimFolder(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    await rm(lock)
    await (await claimFolder(folder)).release()
  })

  it('keeps no process from ending', async () => {
    const sockets = () =>
      process.getActiveResourcesInfo().filter((name) => /Pipe|Server/.test(name))
    const before = sockets()
    const { release } = await claimFolder(await temporaryFolder())
    expect(sockets()).toEqual(before)
    await release()
  })

  it.runIf(process.platform === 'linux')(
    'reports that the system refuses a claim, and leaves no file open',
    async () => {
      const folder = await temporaryFolder()
      vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
        this.emit('error', Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' }))
        return this
      })
      await expect(claimFolder(folder)).rejects.toMatchObject({
        code: 'StoreAccessFailed',
        message: expect.stringContaining('too many files are open'),
      })
      expect(openIn(folder)).toEqual([])
      const { release } = await claimFolder(folder)
      const held = openIn(folder)
      await expect(claimFolder(folder)).rejects.toEqual(locked)
      expect(openIn(folder)).toEqual(held)
      await release()
      expect(openIn(folder)).toEqual([])
    },
  )

  it('releases a folder that could not be opened', async () => {
    const folder = `${import.meta.filename}/below`
    for (const _ of [1, 2]) {
      await expect(Records.open(folder)).rejects.toMatchObject({ code: 'InvalidStoreFolder' })
    }
  })
})
