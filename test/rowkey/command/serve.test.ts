import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, DynamicEntity } from 'rowkey'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CERTIFICATE } from '../../support/certificate.ts'
import { whileServing } from './while-serving.ts'

it('serve keeps the tables of a folder from one start to the next', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-serve-'))
  try {
    const first = await whileServing(folder, async (tables) => {
      const account = connect(tables)
      await account.table('people').create()
      await account.table('people').insert(new DynamicEntity('Smith', 'Jeff'))
      await account.close()
    })
    expect(first).toContain(folder)
    await whileServing(folder, async (tables) => {
      const account = connect(tables)
      expect((await account.table('people').find(['Smith', 'Jeff']))?.rowKey).toBe('Jeff')
      await account.close()
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

it('serve frees its port when the terminal asks to stop', async () => {
  let endpoint = ''
  await whileServing(undefined, async (tables) => {
    endpoint = /TableEndpoint=(.*)/.exec(tables)?.[1] ?? ''
    expect((await fetch(`${endpoint}/Tables`)).status).toBe(403)
  })
  await expect(fetch(`${endpoint}/Tables`)).rejects.toThrow()
})

describe('serve with files', () => {
  let folder = ''
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rowkey-serve-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  it('stores first rows with their types, and leaves tables alone that exist', async () => {
    const seed = await file(
      'seed.json',
      `{ "people": [
        { "PartitionKey": "a", "RowKey": "1", "n@odata.type": "Edm.Int64", "n": "5", "half": 2.0 },
        { "PartitionKey": "b", "RowKey": "1", "name": "漢🙂" } ], "empty": [] }`,
    )
    const data = join(folder, 'data')
    await whileServing(
      data,
      async (tables) => {
        const account = connect(tables)
        const people = account.table('people')
        const row = await people.get(['a', '1'])
        expect([row.get('n'), row.get('half')?.type]).toMatchObject([
          { type: 'Int64', value: 5n },
          'Double',
        ])
        expect((await people.get(['b', '1'])).get('name')?.value).toBe('漢🙂')
        expect(await account.table('empty').exists()).toBe(true)
        await people.delete(['a', '1'], { etag: '*' })
        await account.close()
      },
      { seed },
    )
    await whileServing(
      data,
      async (tables) => {
        const account = connect(tables)
        expect(await account.table('people').find(['a', '1'])).toBeUndefined()
        await account.close()
      },
      { seed },
    )
  })

  it('rejects first rows that the service rejects', async () => {
    const seed = await file('seed.json', '{ "people": {} }')
    const run = whileServing(undefined, async () => expect.fail('it serves'), { seed })
    await expect(run).rejects.toMatchObject({
      code: 'InvalidSeed',
      message: "The first rows are invalid: 'people' must be a list of rows.",
    })
  })

  it('stores the first rows when a start follows one that has rejected them', async () => {
    const rows = (key: string) =>
      `{ "people": [{ "PartitionKey": "a", "RowKey": "1" }, { "PartitionKey": "b", "RowKey": "${key}" }] }`
    const data = join(folder, 'data')
    const invalid = { seed: await file('invalid.json', rows('a/b')) }
    await expect(whileServing(data, async () => {}, invalid)).rejects.toThrow(/'people'/)
    await whileServing(
      data,
      async (tables) => {
        const account = connect(tables)
        expect(await account.table('people').query().allowTableScan().count()).toBe(2)
        await account.close()
      },
      { seed: await file('seed.json', rows('2')) },
    )
  })

  it('names a file that cannot be read', async () => {
    const run = whileServing(undefined, async () => {}, { seed: join(folder, 'none.json') })
    await expect(run).rejects.toThrow(/--seed cannot be read: .*none\.json \(ENOENT\)/)
  })

  it('rejects first rows that are not UTF-8', async () => {
    const seed = await file('latin1.json', '')
    await writeFile(seed, '{ "people": [{ "PartitionKey": "é", "RowKey": "1" }] }', 'latin1')
    const run = whileServing(undefined, async () => expect.fail('it serves'), { seed })
    await expect(run).rejects.toThrow(/--seed is not UTF-8 text: .*latin1\.json\. Save it as UTF-8/)
  })

  it('serves https, and accepts a token whose claims are right', async () => {
    const tls = {
      cert: await file('cert.pem', CERTIFICATE.cert),
      key: await file('key.pem', CERTIFICATE.key),
    }
    const seconds = Math.floor(Date.now() / 1000)
    const claims = {
      iss: 'https://sts.windows.net/ab1f708d-50f6-404c-a006-d71b2ac7a606/',
      aud: 'https://storage.azure.com',
      nbf: seconds - 60,
      exp: seconds + 600,
    }
    const statusOf = (endpoint: string, change: object) =>
      new Promise<number | undefined>((resolve, reject) => {
        const body = Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url')
        const headers = {
          authorization: `Bearer e30.${body}.sig`,
          'x-ms-version': '2019-02-02',
          accept: 'application/json;odata=nometadata',
        }
        const url = new URL(`${endpoint}/Tables`)
        const { hostname: host, port, pathname: path } = url
        request({ host, port, path, headers, ca: CERTIFICATE.cert }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
          .on('error', reject)
          .end()
      })
    await whileServing(
      undefined,
      async (tables) => {
        const endpoint = /TableEndpoint=(.*)/.exec(tables)?.[1] ?? ''
        expect(endpoint).toMatch(/^https:/)
        const accepted = [
          {},
          { aud: 'https://storage.azure.com/' },
          { aud: 'https://devstoreaccount1.table.core.windows.net' },
          { iss: 'https://sts.microsoftonline.de/x/' },
          { iss: 'https://sts.chinacloudapi.cn/x/' },
          { nbf: undefined },
        ]
        for (const change of accepted) expect(await statusOf(endpoint, change)).toBe(200)
        const rejected = [
          { aud: 'https://example.com' },
          { aud: 'https://other.table.core.windows.net' },
          { iss: 'https://example.com' },
          { iss: undefined },
          { nbf: seconds + 600 },
          { exp: seconds - 1 },
          { exp: undefined },
        ]
        for (const change of rejected) expect(await statusOf(endpoint, change)).toBe(401)
      },
      { tls, oauth: 'basic' },
    )
    await whileServing(
      undefined,
      async (tables) => {
        const endpoint = /TableEndpoint=(.*)/.exec(tables)?.[1] ?? ''
        expect(await statusOf(endpoint, {})).toBe(401)
      },
      { tls },
    )
  })
})
