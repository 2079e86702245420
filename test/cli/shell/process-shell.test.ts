import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { ASKED_TO_STOP, READER_GONE } from '../../../packages/cli/src/shell/process-shell.ts'
import { fakeProcess } from './fake-process.ts'

it('the first signal aborts the command, the second ends the process with 1', () => {
  const { process, exits, shell } = fakeProcess()
  process.emit('SIGINT')
  expect([shell.signal.reason, exits]).toEqual([ASKED_TO_STOP, []])
  process.emit('SIGTERM')
  expect(exits).toEqual([1])
})

it('ends a command that waits for input', async () => {
  const { process, shell } = fakeProcess()
  const reading = (async () => {
    for await (const _ of shell.input) process.emit('SIGINT')
  })()
  process.stdin.write('a')
  await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
})

it('aborts when the reader of the output goes away', async () => {
  const { process, shell } = fakeProcess()
  process.stdout.emit('error', Object.assign(new RangeError(), { code: 'EPIPE' }))
  expect(shell.signal.reason).toBe(READER_GONE)
  await expect(shell.print('x')).rejects.toBe(READER_GONE)
})

it('reports other errors of the output', () => {
  const { process, shell } = fakeProcess()
  process.stdout.emit('error', Object.assign(new RangeError('no space'), { code: 'ENOSPC' }))
  expect(String(process.stderr.read())).toBe('rowkey: cannot write (no space).\n')
  expect(shell.signal.aborted).toBe(true)
})

it('waits until the output has room', async () => {
  const { process, shell } = fakeProcess()
  let isDone = false
  const printing = shell.print('more than four').then(() => {
    isDone = true
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(isDone).toBe(false)
  process.stdout.resume()
  await printing
})

it('has written a text when it is printed to a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-shell-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await using file = await open(join(folder, 'printed'), 'w')
  const { process, shell } = fakeProcess()
  Object.assign(process.stdout, { fd: file.fd })
  await shell.print('one ')
  await shell.print(Buffer.from('two'))
  expect(await readFile(join(folder, 'printed'), 'utf8')).toBe('one two')
})

it('stops listening when it is closed', () => {
  const { process, close } = fakeProcess()
  close()
  expect([process.listenerCount('SIGINT'), process.listenerCount('SIGTERM')]).toEqual([0, 0])
})
