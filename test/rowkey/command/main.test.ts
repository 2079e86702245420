import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { connect } from 'rowkey'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The command as a process of its own, from the sources. */
const start = (...args: string[]) =>
  spawn(process.execPath, ['--import', 'tsx', 'packages/rowkey/src/command/main.ts', ...args], {
    cwd: root,
    env: { ...process.env, TSX_TSCONFIG_PATH: 'tsconfig.base.json' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

it.each(['SIGTERM', 'SIGINT'] as const)(
  'rowkey serve answers as a process of its own, and exits with 0 on %s',
  async (signal) => {
    const child = start('serve', '--port', '0')
    let printed = ''
    let warned = ''
    child.stderr.on('data', (chunk) => {
      warned += chunk
    })
    for await (const chunk of child.stdout) {
      printed += chunk
      if (/TableEndpoint=.*\n/.test(printed)) break
    }
    const account = connect(/^Default.*$/m.exec(printed)?.[0] ?? '')
    await account.table('people').create()
    child.kill(signal)
    const [code] = await once(child, 'exit')
    await account.close()
    expect([code, warned]).toEqual([0, ''])
  },
)

it('rowkey says on the error stream what it does not know, and exits with 2', async () => {
  const child = start('sevre')
  let warned = ''
  child.stderr.on('data', (chunk) => {
    warned += chunk
  })
  const [code] = await once(child, 'close')
  expect(code).toBe(2)
  expect(warned).toContain("'sevre'")
})
