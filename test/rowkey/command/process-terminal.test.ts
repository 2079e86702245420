import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import {
  processTerminal,
  type TerminalProcess,
} from '../../../packages/rowkey/src/command/process-terminal.ts'

const fakeProcess = () => {
  const written: string[] = []
  const exits: unknown[] = []
  const stream = (name: string) =>
    Object.assign(new EventEmitter(), {
      write: (text: string) => written.push(`${name}: ${text}`),
    })
  const process = Object.assign(new EventEmitter(), {
    exit: (code: unknown) => exits.push(code),
    stdout: stream('out'),
    stderr: stream('err'),
  })
  // The few members of a process that a terminal uses.
  return { process: process as unknown as TerminalProcess & EventEmitter, written, exits }
}

it.each([
  ['SIGTERM', 'SIGTERM'],
  ['SIGINT', 'SIGTERM'],
])('the first signal (%s) asks to stop, the second (%s) exits at once', async (first, second) => {
  const { process, exits } = fakeProcess()
  const stopped = processTerminal(process).stopped()
  process.emit(first)
  await stopped
  expect(exits).toEqual([])
  process.emit(second)
  expect(exits).toEqual([1])
})

it('prints to one stream and warns on the other', () => {
  const { process, written } = fakeProcess()
  const terminal = processTerminal(process)
  terminal.print('a')
  terminal.warn('b\n\u001b[2J')
  expect(written).toEqual(['out: a', 'err: b\n\\u001b[2J'])
})

const failed = (code: string) => Object.assign(new RangeError('no more'), { code })

it('ignores a reader that goes away', () => {
  const { process, written } = fakeProcess()
  processTerminal(process)
  process.stdout.emit('error', failed('EPIPE'))
  process.stderr.emit('error', failed('EPIPE'))
  expect([written, process.exitCode]).toEqual([[], undefined])
})

it('reports other errors of the output and sets the exit code to 1', () => {
  const { process, written } = fakeProcess()
  processTerminal(process)
  process.stdout.emit('error', failed('ENOSPC'))
  expect(written).toEqual(['err: rowkey: cannot write to the standard output (no more).\n'])
  expect(process.exitCode).toBe(1)
})
