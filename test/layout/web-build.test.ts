import { existsSync, readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { platformImport, twinsOf } from '../../scripts/build/plugins.ts'
import { webTwins } from '../../scripts/web-twins.ts'
import { root } from './source-files.ts'

const PACKAGES = ['odata', 'rest', 'query', 'mapper', 'local']

/** The sources of all packages that run in browsers, as one script that sets `rowkey`. */
const bundled = build({
  stdin: {
    contents: PACKAGES.map((name) => `export * as ${name} from '@rowkey/${name}'`).join('\n'),
    resolveDir: root,
  },
  alias: Object.fromEntries(
    PACKAGES.map((name) => [`@rowkey/${name}`, `${root}packages/${name}/src/index.ts`]),
  ),
  plugins: [webTwins],
  bundle: true,
  format: 'iife',
  globalName: 'rowkey',
  metafile: true,
  platform: 'browser',
  target: 'es2022',
  write: false,
})

/** Runs a program after the script, with the globals of a browser and nothing of Node. */
async function inBrowser(program: string, fetch: typeof globalThis.fetch): Promise<unknown> {
  const { outputFiles } = await bundled
  const window = createContext({
    AbortController,
    AbortSignal,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
    atob,
    btoa,
    clearTimeout,
    crypto,
    fetch,
    setTimeout,
  })
  runInContext(outputFiles[0]?.text ?? '', window)
  return runInContext(`(async () => { ${program} })()`, window)
}

const headers = { 'content-type': 'application/json;odata=minimalmetadata' }
const respond = (body: string | null, status: number) => async () =>
  new Response(body, { status, headers })

describe('the build for browsers and workers', () => {
  let modules: readonly string[] = []

  beforeAll(async () => {
    modules = Object.keys((await bundled).metafile.inputs)
  })

  it('contains nothing of Node and undici', () => {
    expect(modules.filter((path) => /undici(?!-transport)|^node:/.test(path))).toEqual([])
    expect(modules).toContain('packages/rest/src/web/http/undici-transport.ts')
  })

  it('R-84: sends by fetch with a SAS', async () => {
    const urls: unknown[] = []
    const program = `
      const { tableService, SasCredential, perform, getEntity } = rowkey.rest
      const credential = new SasCredential('sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D')
      const service = tableService({ endpoint: 'https://contoso.table.core.windows.net', credential })
      const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
      const { raw } = await perform(service, getEntity, { table: 'people', key })
      await service.close()
      return raw.age`
    const age = await inBrowser(program, async (url) => {
      urls.push(url)
      return new Response('{"PartitionKey":"Smith","RowKey":"Jeff","age":7}', { headers })
    })
    expect(age).toBe(7)
    expect(urls).toEqual([
      "https://contoso.table.core.windows.net/people(PartitionKey='Smith',RowKey='Jeff')?sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D",
    ])
  })

  it.each([
    ['no User-Agent in a page, where the browser sends its own', 'false', undefined],
    ['a User-Agent in a worker on a server', 'true', 'shop/2 rowkey/source (worker)'],
  ])('sends %s', async (_, runsOnServer, expected) => {
    const agents: unknown[] = []
    const program = `
      const { tableService, SasCredential, perform, queryTables } = rowkey.rest
      const service = tableService({
        endpoint: 'https://contoso.table.core.windows.net',
        credential: new SasCredential('sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'),
        applicationId: 'shop/2',
        runsOnServer: ${runsOnServer},
      })
      return (await perform(service, queryTables, {})).tables.length`
    const length = await inBrowser(program, async (_url, init) => {
      agents.push(new Headers(init?.headers).get('user-agent') ?? undefined)
      return new Response('{"value":[]}', { headers })
    })
    expect([length, agents]).toEqual([0, [expected]])
  })

  it('maps, batches and queries without Buffer', async () => {
    const program = `
      const { Account } = rowkey.mapper
      const { tableService, SasCredential, printContinuationToken } = rowkey.rest
      const credential = new SasCredential('sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D')
      const account = new Account(tableService({ endpoint: 'https://contoso.table.core.windows.net', credential }))
      const rows = await account.table('people').query().allowTableScan().toArray()
      return [rows.length, printContinuationToken({ nextPartitionKey: 'ä' })]`
    const body =
      '{"value":[{"PartitionKey":"Smith","RowKey":"Jeff","photo@odata.type":"Edm.Binary","photo":"AAE="}]}'
    const text = Buffer.from('["ä",null,null,null]').toString('base64url')
    expect(await inBrowser(program, respond(body, 200))).toEqual([1, text])
  })

  it('runs the embedded service in memory', async () => {
    const program = `
      const { Account } = rowkey.mapper
      const local = rowkey.local.localTableService()
      const service = rowkey.rest.tableService({
        endpoint: 'http://localhost/devstoreaccount1',
        credential: local.credential(),
        transport: local.transport,
      })
      const account = new Account(service)
      const people = account.table('people')
      await people.create()
      const { DynamicEntity } = rowkey.odata
      const batch = people.batch()
      for (const rowKey of ['Jeff', 'Jürgen 😀']) batch.insert(new DynamicEntity('Smith', rowKey, { age: 7 }))
      await batch.submit()
      const rows = await people.query().allowTableScan().pageSize(1).toArray()
      await account.close()
      await local.close()
      return rows.map(({ rowKey }) => rowKey).join()`
    expect(await inBrowser(program, () => expect.fail('nothing is sent'))).toBe('Jeff,Jürgen 😀')
  })

  it('reads page by page without TextEncoder and TextDecoder, as in jsdom', async () => {
    const program = `
      globalThis.TextEncoder = globalThis.TextDecoder = undefined
      const local = rowkey.local.localTableService()
      const service = rowkey.rest.tableService({
        endpoint: 'http://localhost/devstoreaccount1',
        credential: local.credential(),
        transport: local.transport,
      })
      const people = new rowkey.mapper.Account(service).table('people')
      await people.create()
      for (const rowKey of ['Ann 😀', 'Jürgen', 'Zoe']) {
        await people.insert(new rowkey.odata.DynamicEntity('Smith', rowKey))
      }
      const query = people.query().allowTableScan()
      const first = await query.page({ size: 1 })
      const second = await query.page({ size: 1, token: first.next })
      return [...first.items, ...second.items].map(({ rowKey }) => rowKey).join()`
    expect(await inBrowser(program, () => expect.fail('nothing is sent'))).toBe('Ann 😀,Jürgen')
  })

  it.each([
    ['a folder', "rowkey.local.localTableService({ data: './data' })"],
    ['a port', 'await rowkey.local.localTableService().listen()'],
  ])('says that the embedded service has no use for %s there', async (_, expression) => {
    await expect(inBrowser(`return ${expression}`, respond(null, 204))).rejects.toMatchObject({
      code: 'UnsupportedRuntime',
    })
  })

  it.each([
    ['an account key', "new rest.SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' })"],
    [
      'a connection string with one',
      "rest.parseConnectionString('AccountName=contoso;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net')",
    ],
  ])('rejects %s and names the alternative', async (_, expression) => {
    const program = `const { rest } = rowkey; return ${expression}`
    await expect(inBrowser(program, respond(null, 204))).rejects.toMatchObject({
      message: expect.stringMatching(/account key must not be used in browsers.*SasCredential/),
    })
  })

  it.each([
    'rest.parseConnectionString(text, { runsOnServer: true }).endpoint.account',
    'rest.tableService({ connectionString: text, runsOnServer: true }).endpoint.account',
  ])('accepts an account key in a worker that runs on a server: %s', async (expression) => {
    const text = 'AccountName=contoso;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net'
    const program = `const { rest } = rowkey; const text = '${text}'; return ${expression}`
    expect(await inBrowser(program, respond(null, 204))).toBe('contoso')
  })

  it('rejects undici and names the alternative', async () => {
    await expect(
      inBrowser('return rowkey.rest.undiciTransport()', respond(null, 204)),
    ).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: expect.stringContaining('fetchTransport'),
    })
  })

  it('has the same names as the one for Node', async () => {
    const program =
      "return [rowkey.rest, rowkey.local].map((names) => Object.keys(names).sort().join(' ')).join('; ')"
    const onNode = [await import('@rowkey/rest'), await import('@rowkey/local')]
      .map((names) => Object.keys(names).sort().join(' '))
      .join('; ')
    expect(await inBrowser(program, respond(null, 204))).toBe(onNode)
  })
})

describe('the twins of a package', () => {
  it.each(PACKAGES)('replace modules that %s has', (name) => {
    const sources = `${root}packages/${name}/src/`
    expect(twinsOf(name).filter((path) => !existsSync(`${sources}${path}.ts`))).toEqual([])
  })

  it.each(['rest', 'mapper', 'local'])('are what %s imports by its own name', (name) => {
    const [path = ''] = twinsOf(name)
    const importer = `${root}packages/${name}/src/index.ts`
    expect(platformImport(`./${path}.ts`, importer)?.id).toBe(`@rowkey/${name}/platform/${path}`)
    expect(platformImport('./errors/codes.ts', importer)).toBeUndefined()
    const { exports } = JSON.parse(readFileSync(`${root}packages/${name}/package.json`, 'utf8'))
    const { browser, require: onNode } = exports['./platform/*']
    expect([browser.require, onNode]).toEqual([
      './dist/platform/web/*.cjs',
      './dist/platform/*.cjs',
    ])
  })
})
