import { readFileSync } from 'node:fs'
import { connect } from 'rowkey'
import { describe, expect, it } from 'vitest'
import { loadCli } from '../../../packages/rowkey/src/command/cli-commands.ts'
import { HELP_TEXT } from '../../../packages/rowkey/src/command/help-text.ts'
import { type RunCli, runCommand } from '../../../packages/rowkey/src/command/run-command.ts'

/** What Node throws where `@rowkey/cli` is not installed. */
const notInstalled = Object.assign(new Error("Cannot find package '@rowkey/cli'"), {
  code: 'ERR_MODULE_NOT_FOUND',
})

/** Runs the command, calls `whileServing` with its output, and then asks it to stop. */
const run = async (
  line: string,
  whileServing: (printed: string) => Promise<void> = async () => {},
  runCli?: RunCli,
) => {
  let printed = ''
  let warned = ''
  const terminal = {
    environment: {},
    print: (text: string) => {
      printed += text
    },
    warn: (text: string) => {
      warned += text
    },
    // Called just before the connection string is printed.
    stopped: async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await whileServing(printed)
    },
  }
  const code = await runCommand(
    line.split(' ').filter(Boolean),
    terminal,
    runCli ??
      (async (command, args) => {
        printed += `${command}: ${args.join(' ')}`
        return 3
      }),
  )
  return { code, printed, warned }
}

const connectionStringIn = (printed: string) =>
  /^DefaultEndpointsProtocol=.*$/m.exec(printed)?.[0] ?? expect.fail('no connection string')

describe('the rowkey command', () => {
  it.each(['serve --help', 'serve --port 0 -h', 'help serve'])(
    'prints the help of serve for %j',
    async (line) => {
      expect(await run(line)).toEqual({ code: 0, printed: HELP_TEXT, warned: '' })
    },
  )

  it.each(['', '--help', '-h', 'help'])(
    'prints the help of all commands for %j, and that of serve without @rowkey/cli',
    async (line) => {
      expect(await run(line)).toEqual({ code: 3, printed: '--help: --help', warned: '' })
      const missing: RunCli = async () => {
        await loadCli('--help', () => Promise.reject(notInstalled))
        return 0
      }
      expect(await run(line, undefined, missing)).toEqual({
        code: 0,
        printed: HELP_TEXT,
        warned: '',
      })
    },
  )

  it.each(['--version', '-v'])('prints its version for %s', async (line) => {
    const path = new URL('../../../packages/rowkey/package.json', import.meta.url)
    const { version } = JSON.parse(readFileSync(path, 'utf8'))
    expect(await run(line)).toEqual({ code: 0, printed: `${version}\n`, warned: '' })
  })

  it.each([
    ['Contoso=c2VjcmV0', "Unknown command 'Contoso'."],
    ['--serve', "Unknown option '--serve'."],
    ['--account=contoso=c2VjcmV0', "Unknown option '--account'."],
    ['serve --prot 1', '--prot'],
    ['serve here', "'here'"],
    ['serve --port 0 --account Contoso=AAAA', '"Contoso"'],
    ['serve --port 0 --allow-host a/b', 'host names'],
  ])('exits with 2 for %j and names the mistake', async (line, named) => {
    const { code, printed, warned } = await run(line)
    expect([code, printed]).toEqual([2, ''])
    expect(warned).toContain(named)
    expect(warned).toContain('rowkey --help')
  })

  it.each(['query people', 'help query', 'tables --json', 'server'])(
    'passes %j to @rowkey/cli and returns its exit code',
    async (line) => {
      const command = line.replace('help ', '').split(' ')[0]
      expect(await run(line)).toEqual({ code: 3, printed: `${command}: ${line}`, warned: '' })
    },
  )

  it('serves until the terminal asks to stop', async () => {
    const { code, warned } = await run('serve --port 0', async (printed) => {
      expect(printed).toContain('in memory')
      const account = connect(connectionStringIn(printed))
      await account.table('people').create()
      await account.close()
    })
    expect([code, warned]).toEqual([0, ''])
  })

  it('serves the configured accounts, and prints only the key of the first', async () => {
    const line = 'serve --port 0 --account contoso=AAAA --account fabrikam=BBBB'
    const { printed } = await run(line)
    expect(connectionStringIn(printed)).toContain('AccountName=contoso;AccountKey=AAAA;')
    expect(printed).not.toContain('BBBB')
  })

  it('warns when other machines can reach it with the published key', async () => {
    const open = await run('serve --port 0 --host 0.0.0.0')
    expect(open.warned).toContain('--account name=key')
    expect((await run('serve --port 0 --host 0.0.0.0 --account contoso=AAAA')).warned).toBe('')
  })

  it('exits with 1 and the reason when it cannot serve', async () => {
    await run('serve --port 0', async (printed) => {
      const port = /:(\d+)\//.exec(connectionStringIn(printed))?.[1]
      const second = await run(`serve --port ${port}`)
      expect(second.code).toBe(1)
      expect(second.warned).toContain(`127.0.0.1:${port}`)
    })
  })
})
