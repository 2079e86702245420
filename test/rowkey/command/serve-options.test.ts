import { describe, expect, it } from 'vitest'
import { parseServeOptions } from '../../../packages/rowkey/src/command/serve-options.ts'

const KEY = 'c2VjcmV0c2VjcmV0cw=='

const unset = { log: undefined, seed: undefined, tls: undefined, oauth: undefined }

describe('parseServeOptions', () => {
  it('leaves defaults to the service', () => {
    const nothing = {
      data: undefined,
      flavour: undefined,
      port: undefined,
      host: undefined,
      hosts: undefined,
      accounts: undefined,
      ...unset,
    }
    expect(parseServeOptions([])).toEqual(nothing)
    expect(parseServeOptions(['--in-memory'])).toEqual(nothing)
  })

  it('reads every option', () => {
    const text = `--data ./data --port 0 --host=0.0.0.0 --allow-host a.com --allow-host b.com --account contoso=${KEY} --account=fabrikam=AAAA --flavour cosmos`
    expect(parseServeOptions(text.split(' '))).toEqual({
      data: './data',
      flavour: 'cosmos',
      port: 0,
      host: '0.0.0.0',
      hosts: ['a.com', 'b.com'],
      accounts: [
        { name: 'contoso', key: KEY },
        { name: 'fabrikam', key: 'AAAA' },
      ],
      ...unset,
    })
    const more = '--log json --seed s.json --cert c.pem --key k.pem --oauth basic'
    expect(parseServeOptions(more.split(' '))).toMatchObject({
      log: 'json',
      seed: 's.json',
      tls: { cert: 'c.pem', key: 'k.pem' },
      oauth: 'basic',
    })
  })

  it('takes what the arguments leave out from the environment', () => {
    const environment = {
      ROWKEY_PORT: '0',
      ROWKEY_ALLOW_HOST: 'a.com, b.com',
      ROWKEY_ACCOUNT: `contoso=${KEY}`,
      ROWKEY_DATA: './data',
      ROWKEY_LOG: 'text',
      ROWKEY_SEED: '',
      PORT: '7',
    }
    expect(parseServeOptions([], environment)).toMatchObject({
      port: 0,
      hosts: ['a.com', 'b.com'],
      accounts: [{ name: 'contoso', key: KEY }],
      data: './data',
      log: 'text',
      seed: undefined,
    })
    expect(parseServeOptions(['--port', '5', '--in-memory'], environment)).toMatchObject({
      port: 5,
      data: undefined,
    })
    expect(() => parseServeOptions([], { ROWKEY_PORT: 'http' })).toThrow(/--port must be/)
  })

  it.each([
    [['--cert', 'c.pem'], /both --cert and --key/],
    [['--oauth', 'basic'], /--oauth needs --cert/],
    [['--oauth', 'full', '--cert', 'c', '--key', 'k'], /--oauth must be basic, not 'full'/],
    [['--log', 'xml'], /--log must be text or json, not 'xml'/],
    [['--seed', ''], /--seed must be the path of a file/],
    [['--prot', '1'], /--prot/],
    [['--port'], /--port/],
    [['--port', 'http'], /'http'/],
    [['--port', '65536'], /0 to 65535/],
    [['--port', '-1'], /^Option '--port' argument is ambiguous\.$/],
    [['now'], /'now'/],
    [['--data='], /^--data must be the path of a folder/],
    [['--host='], /^--host must be an address/],
    [['--data', 'x', '--in-memory'], /not both/],
    [['--flavour', 'mongo'], /^--flavour must be storage or cosmos, not 'mongo'/],
    [['--account', KEY.replaceAll('=', '')], /name=key/],
    [['--account', '=x'], /name=key/],
  ])('rejects %j', (args, message) => {
    expect(() => parseServeOptions(args)).toThrow(
      expect.objectContaining({ code: 'InvalidCommand' }),
    )
    expect(() => parseServeOptions(args)).toThrow(message)
  })

  it('never shows a key when it rejects an account', () => {
    for (const args of [
      ['--account', 'c2VjcmV0'],
      ['--acount', `contoso=${KEY}`],
      ['--account', 'contoso', KEY],
      ['--account', 'contoso', '=', KEY],
      [`contoso=${KEY}`],
      [KEY],
    ]) {
      expect(() => parseServeOptions(args)).toThrow(expect.not.stringContaining('c2VjcmV0'))
    }
  })
})
