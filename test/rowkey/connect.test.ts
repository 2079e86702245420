import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { EndpointAddress } from '@rowkey/rest'
import { build } from 'esbuild'
import { connect, DynamicEntity, environmentAddress, noRetry, type Transport } from 'rowkey'
import type { HttpRequest } from 'rowkey/testing'
import { describe, expect, it } from 'vitest'
import { longTest } from '../support/cases-to-play.ts'
import { temporaryFolder } from '../support/local-folder.ts'

const root = join(import.meta.dirname, '../..')
const KEY = 'bm90IGEgcmVhbCBrZXksIGJ1dCBiYXNlNjQgYWxsIHRoZSBzYW1lLi4uLg=='

describe("connect('memory:')", () => {
  it('opens an embedded service that works at once', async () => {
    const account = connect('memory:')
    const people = account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { Points: 5n }))
    expect((await people.get(['Smith', 'Jeff'])).get('Points')?.value).toBe(5n)
    await account.close()
  })

  it('gives every account a service of its own', async () => {
    const [one, other] = [connect('memory:'), connect('memory:')]
    await one.createTable('people')
    expect(await one.table('people').exists()).toBe(true)
    expect(await other.table('people').exists()).toBe(false)
    await Promise.all([one.close(), other.close()])
  })

  it('R-40: limits scans for all tables', async () => {
    const account = connect('memory:', { scans: 'none' })
    const people = account.table('people').query().where({ partitionKey: 'Smith' })
    await expect(people.toArray()).rejects.toMatchObject({ code: 'PartitionScan' })
    expect(() => connect('memory:', { scans: 'everything' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    await account.close()
  })

  it('closes an account that was never used', async () => {
    await expect(connect('memory:').close()).resolves.toBeUndefined()
  })

  it('reports every attempt', async () => {
    const seen: string[] = []
    const account = connect('memory:', { onAttempt: ({ operation }) => seen.push(operation) })
    await account.createTable('people')
    await account.close()
    expect(seen).toEqual(['createTable'])
  })

  it("dates requests by the caller's clock", async () => {
    const now = () => Date.UTC(2014, 7, 22, 0, 50, 32)
    const account = connect('memory:', { now })
    const people = account.table('people')
    await people.create()
    const jeff = await people.insert(new DynamicEntity('Smith', 'Jeff'))
    expect(jeff.timestamp?.toISOString()).toBe('2014-08-22T00:50:32.000Z')
    await account.close()
  })
})

describe("connect('file:…')", () => {
  it('finds the rows of an earlier account in a folder', async () => {
    const folder = await temporaryFolder()
    const before = connect(`file:${folder}`)
    await before.table('people').create()
    const jeff = await before.table('people').insert(new DynamicEntity('Smith', 'Jeff', { n: 1.5 }))
    await before.close()
    const after = connect(pathToFileURL(folder).href)
    const found = await after.table('people').get(['Smith', 'Jeff'])
    expect(found.etag).toBe(jeff.etag)
    expect(found.get('n')?.value).toBe(1.5)
    await after.table('people').delete(found)
    await after.close()
  })

  it('never repeats an ETag, even after the clock was set back', async () => {
    const folder = await temporaryFolder()
    const etags: (string | undefined)[] = []
    for (const now of [Date.UTC(2026, 10, 20), Date.UTC(2020, 0, 1)]) {
      const account = connect(`file:${folder}`, { now: () => now })
      const people = account.table('people')
      await people.createIfNotExists()
      const jeff = new DynamicEntity('Smith', 'Jeff')
      const { etag, timestamp } = await people.insertOrReplace(jeff)
      etags.push(etag, timestamp?.toJSON())
      await account.close()
    }
    expect(new Set(etags).size).toBe(4)
    expect(etags[3]).toBe('2026-11-20T00:00:00.0000001Z')
  })

  it('reports a problem of the folder at the first call, and tries again at the next', async () => {
    const folder = await temporaryFolder()
    const [one, other] = [connect(`file:${folder}`), connect(`file:${folder}`)]
    await one.createTable('people')
    await expect(other.createTable('members')).rejects.toMatchObject({
      code: 'StoreLocked',
      folder,
      message: expect.stringContaining('close the other one'),
    })
    await one.close()
    await other.createTable('members')
    expect(await other.table('people').exists()).toBe(true)
    await other.close()
  })

  it('opens nothing before the first call or after it was closed', async () => {
    const folder = join(await temporaryFolder(), 'data')
    const account = connect(`file:${folder}`)
    await account.close()
    await expect(account.createTable('people')).rejects.toMatchObject({ code: 'AccountClosed' })
    expect(existsSync(folder)).toBe(false)
  })
})

describe('an account', () => {
  it('is closed at the end of a block', async () => {
    const account = connect('memory:')
    {
      await using disposed = account
      await disposed.createTable('people')
    }
    await expect(account.createTable('members')).rejects.toMatchObject({ code: 'AccountClosed' })
  })
})

describe('connect', () => {
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 42],
    ['a function', () => undefined],
  ])('rejects %s and lists valid targets', (_what, target) => {
    expect(() => connect(target as never)).toThrow(/'memory:'.*connection string/)
  })

  it.each(['https://contoso.table.core.windows.net', 'memory:people'])(
    'rejects a target of an unknown kind: %s',
    (target) => {
      expect(() => connect(target)).toThrow(expect.objectContaining({ code: 'InvalidTarget' }))
    },
  )

  it('R-16: opens the account of a URL with a shared access signature', async () => {
    const sent: HttpRequest[] = []
    const transport: Transport = async (request) => {
      sent.push(request)
      return { status: 204, headers: {}, body: '' }
    }
    const sas = 'sv=2019-02-02&tn=people&sp=a&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'
    const url = ` https://contoso.table.core.windows.net/people?${sas}\n`
    const account = connect(url, { transport, retry: noRetry })
    await account.table('people').insert(new DynamicEntity('Smith', 'Jeff'))
    expect(sent).toMatchObject([
      { origin: 'https://contoso.table.core.windows.net', path: '/people', query: sas },
    ])
  })

  it('rejects a URL with an invalid signature, without showing it', () => {
    const open = () =>
      connect(
        'https://contoso.table.core.windows.net?sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
      )
    expect(open).toThrow(expect.objectContaining({ code: 'InvalidCredential' }))
    expect(open).not.toThrow(/c2VjcmV0/)
  })

  it('R-86: opens the account that the environment names', () => {
    const environment = { AZURE_STORAGE_ACCOUNT: 'contoso', AZURE_STORAGE_KEY: KEY }
    expect(() => connect({ ...environmentAddress(environment), retry: noRetry })).not.toThrow()
  })

  it('rejects an empty connection string', () => {
    expect(() => connect('')).toThrow(expect.objectContaining({ code: 'InvalidConnectionString' }))
  })

  it('rejects a connection string without a key, and does not repeat its text', () => {
    expect(() => connect('AccountName=contoso;SharedSecret=abcd')).toThrow(
      expect.objectContaining({
        code: 'InvalidConnectionString',
        message: expect.not.stringContaining('abcd'),
      }),
    )
  })

  it('rejects an unknown option by name, and lists all options', () => {
    expect(() => connect('memory:', { timeOut: 5 } as never)).toThrow(
      /^connect\(\) has no option 'timeOut'\. Its options are: .*\btimeout\b.*\bscans\b/,
    )
  })

  it.each(['memory', './data', 'contoso'])('rejects %s, which is not a target', (target) => {
    expect(() => connect(target)).toThrow(
      /^connect\(\) cannot open a text without '='\. Give 'memory:'/,
    )
  })

  it('calls null by its name', () => {
    expect(() => connect(null as never)).toThrow(/^connect\(\) cannot open null\./)
  })

  it('merges settings into an object of options', async () => {
    const sent: HttpRequest[] = []
    const transport: Transport = async (request) => {
      sent.push(request)
      return { status: 204, headers: {}, body: '' }
    }
    const { endpoint, credential } = environmentAddress({
      AZURE_STORAGE_ACCOUNT: 'contoso',
      AZURE_STORAGE_KEY: KEY,
    }) as EndpointAddress
    const account = connect({ endpoint, credential, timeout: 5 }, { transport, timeout: 5 })
    await account.createTable('people')
    expect(sent).toHaveLength(1)
    const strict = connect({ endpoint, credential }, { transport, requireEncryption: true })
    expect(() => strict.table('people')).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'EncryptionRequired' }),
    )
  })

  it.each([
    [
      'an object',
      { connectionString: 'UseDevelopmentStorage=true', timeout: 5 },
      { timeout: 6 },
      'timeout',
    ],
    [
      'an object',
      { connectionString: 'UseDevelopmentStorage=true', requireEncryption: true },
      { requireEncryption: false },
      'requireEncryption',
    ],
    [
      'memory:',
      'memory:',
      { transport: async () => ({ status: 204, headers: {}, body: '' }) },
      'transport',
    ],
    ['memory:', 'memory:', { connectionString: 'AccountName=contoso' }, 'connectionString'],
    [
      'a URL',
      'https://contoso.table.core.windows.net?sv=2019-02-02&sp=a&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
      { credential: {} },
      'credential',
    ],
  ])(
    'names an option with different values in %s and in the second argument',
    (_, target, settings, option) => {
      expect(() => connect(target, settings as never)).toThrow(
        expect.objectContaining({ code: 'ContradictingOption', details: { option } }),
      )
    },
  )

  it.each([null, 'UseDevelopmentStorage=true', 5])(
    'rejects settings that are not an object: %s',
    (settings) => {
      expect(() => connect('memory:', settings as never)).toThrow(
        expect.objectContaining({ code: 'InvalidOptionValue' }),
      )
    },
  )

  it('names a host that cannot be reached, and reports that nothing was applied', async () => {
    const port = await unusedPort()
    const account = connect(
      `AccountName=contoso;AccountKey=${KEY};TableEndpoint=http://127.0.0.1:${port}/contoso`,
      { sleep: async () => undefined },
    )
    const failure = account.createTable('people')
    await expect(failure).rejects.toMatchObject({ code: 'ConnectionFailed' })
    await expect(failure).rejects.toMatchObject({
      mayHaveApplied: false,
      message: expect.stringContaining(`127.0.0.1:${port}`),
    })
    await account.close()
  })

  longTest('does not load the embedded service in a program for Azure', async () => {
    const { metafile } = await build({
      entryPoints: [join(root, 'packages/rowkey/src/index.ts')],
      tsconfig: join(root, 'examples/tsconfig.json'),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: join(root, 'dist'),
      write: false,
      metafile: true,
    })
    const chunks = Object.values(metafile.outputs)
    const holdsLocal = (chunk: (typeof chunks)[number]) =>
      Object.keys(chunk.inputs).some((file) => file.startsWith('packages/local/'))
    const first = chunks.find((chunk) => chunk.entryPoint === 'packages/rowkey/src/index.ts')
    expect(first && holdsLocal(first)).toBe(false)
    expect(chunks.some(holdsLocal)).toBe(true)
  })
})

/** A port that was free a moment ago. */
async function unusedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
