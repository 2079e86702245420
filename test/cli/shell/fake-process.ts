import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { processShell } from '../../../packages/cli/src/shell/process-shell.ts'

/** A process that a test plays, and its shell. */
export const fakeProcess = () => {
  const exits: unknown[] = []
  const process = Object.assign(new EventEmitter(), {
    stdin: new PassThrough(),
    stdout: new PassThrough({ highWaterMark: 4 }),
    stderr: new PassThrough(),
    env: {},
    cwd: () => '/',
    exit: (code: unknown) => exits.push(code),
  })
  return { process, exits, ...processShell(process as never) }
}
