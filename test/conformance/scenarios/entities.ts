import { expect } from 'vitest'
import type { Scenario } from '../scenario.ts'
import { jsonOf, refusalOf } from '../service-client.ts'

/** Every Edm type, as a client sends it and as it comes back. */
const EVERY_TYPE = {
  text: 'é "quoted" \u{1f600}',
  empty: '',
  yes: true,
  whole: 41,
  'big@odata.type': 'Edm.Int64',
  big: '9223372036854775807',
  half: 4.5,
  'none@odata.type': 'Edm.Double',
  none: 'NaN',
  'since@odata.type': 'Edm.DateTime',
  since: '2014-08-22T00:50:30.1234567Z',
  'card@odata.type': 'Edm.Guid',
  card: 'c9da6455-213d-42c9-9a79-3e9149a57833',
  'bytes@odata.type': 'Edm.Binary',
  bytes: 'CgsM',
}

/** Reads and writes of single rows. */
export const entityScenarios: readonly Scenario[] = [
  {
    title: 'gives back every type as it was sent',
    async run({ insert, row }) {
      const inserted = await insert('p', 'r', EVERY_TYPE)
      expect(inserted.status).toBe(201)
      expect(jsonOf(inserted)).toMatchObject(EVERY_TYPE)
      const read = await row('GET', ['p', 'r'])
      expect(jsonOf(read)).toMatchObject(EVERY_TYPE)
      expect(read.headers.etag).toBe(inserted.headers.etag)
    },
  },
  {
    title: 'keeps a whole Double a Double',
    azuriteDiffers: '6: 5.0 without an annotation is stored as an Int32',
    async run({ client, name, row }) {
      await client.send('POST', `/${name}`, {
        body: '{"PartitionKey":"p","RowKey":"r","rate":5.0,"more@odata.type":"Edm.Double","more":7}',
      })
      const { body } = await row('GET', ['p', 'r'])
      expect(body).toContain('"more":7.0')
    },
  },
  {
    title: 'keeps empty keys, quotes, blanks and letters of every alphabet',
    async run({ insert, row }) {
      const keys = [
        ['', ''],
        ["o'brien", ' a '],
        ['%25 +&=;@', 'ключ'],
        ['\u{1f600}', '\uffee'],
      ] as const
      for (const [partitionKey, rowKey] of keys) {
        expect((await insert(partitionKey, rowKey)).status).toBe(201)
        const read = await row('GET', [partitionKey, rowKey])
        expect(jsonOf(read)).toMatchObject({ PartitionKey: partitionKey, RowKey: rowKey })
      }
    },
  },
  {
    title: 'refuses an entity that exists, and leaves it as it is',
    async run({ insert, row }) {
      await insert('p', 'r', { n: 1 })
      expect(refusalOf(await insert('p', 'r', { n: 2 }))).toEqual([409, 'EntityAlreadyExists'])
      expect(jsonOf(await row('GET', ['p', 'r'])).n).toBe(1)
    },
  },
  {
    title: 'inserts without an echo when asked',
    async run({ client, name }) {
      const quiet = await client.send('POST', `/${name}`, {
        body: { PartitionKey: 'p', RowKey: 'r' },
        headers: { prefer: 'return-no-content' },
      })
      expect([quiet.status, quiet.body]).toEqual([204, ''])
      expect(quiet.headers.etag).toMatch(/^W\/"datetime'/)
    },
  },
  {
    title: 'finds no row that is not there, whatever is to be done to it',
    async run({ row }) {
      const said = { body: {}, headers: { 'if-match': '*' } }
      const missing = [
        await row('GET', ['p', 'r']),
        await row('PUT', ['p', 'r'], said),
        await row('MERGE', ['p', 'r'], said),
        await row('DELETE', ['p', 'r'], { headers: { 'if-match': '*' } }),
      ]
      expect(missing.map(refusalOf)).toEqual(missing.map(() => [404, 'ResourceNotFound']))
    },
  },
  {
    title: 'replaces the whole entity, and merges into it',
    async run({ insert, row }) {
      await insert('p', 'r', { a: 1, b: 2 })
      const merged = await row('MERGE', ['p', 'r'], {
        body: { b: 3, c: 4 },
        headers: { 'if-match': '*' },
      })
      expect([merged.status, merged.body]).toEqual([204, ''])
      expect(jsonOf(await row('GET', ['p', 'r']))).toMatchObject({ a: 1, b: 3, c: 4 })
      const replaced = await row('PUT', ['p', 'r'], {
        body: { d: 5 },
        headers: { 'if-match': '*' },
      })
      expect(replaced.headers.etag).not.toBe(merged.headers.etag)
      const now = jsonOf(await row('GET', ['p', 'r']))
      expect(now).toMatchObject({ d: 5 })
      expect(now).not.toHaveProperty('a')
    },
  },
  {
    title: 'upserts a row that is there and one that is not',
    async run({ row }) {
      for (const [method, expected] of [
        ['PUT', { b: 2 }],
        ['MERGE', { a: 1, b: 2 }],
      ] as const) {
        for (const body of [{ a: 1 }, { b: 2 }]) {
          expect((await row(method, ['p', method], { body })).status).toBe(204)
        }
        const { PartitionKey, RowKey, Timestamp, ...rest } = jsonOf(await row('GET', ['p', method]))
        const members = Object.entries(rest).filter(([member]) => !member.startsWith('odata.'))
        expect(Object.fromEntries(members)).toEqual(expected)
      }
    },
  },
  {
    title: 'keeps a property that a merge sends as null',
    async run({ insert, row }) {
      await insert('p', 'r', { a: 1 })
      await row('MERGE', ['p', 'r'], { body: { a: null }, headers: { 'if-match': '*' } })
      expect(jsonOf(await row('GET', ['p', 'r'])).a).toBe(1)
    },
  },
  {
    title: 'merges by PATCH, and by POST in disguise',
    async run({ insert, row }) {
      await insert('p', 'r', { a: 1 })
      const patched = await row('PATCH', ['p', 'r'], {
        body: { b: 2 },
        headers: { 'if-match': '*' },
      })
      const posted = await row('POST', ['p', 'r'], {
        body: { c: 3 },
        headers: { 'if-match': '*', 'x-http-method': 'MERGE' },
      })
      expect([patched.status, posted.status]).toEqual([204, 204])
      expect(jsonOf(await row('GET', ['p', 'r']))).toMatchObject({ a: 1, b: 2, c: 3 })
    },
  },
  {
    title: 'refuses a write whose ETag is not the latest, and takes one whose is',
    async run({ insert, row }) {
      const { headers } = await insert('p', 'r', { n: 1 })
      const old = headers.etag ?? ''
      const write = { body: { n: 2 }, headers: { 'if-match': old } }
      expect((await row('MERGE', ['p', 'r'], write)).status).toBe(204)
      const late = [
        await row('MERGE', ['p', 'r'], write),
        await row('PUT', ['p', 'r'], write),
        await row('DELETE', ['p', 'r'], { headers: { 'if-match': old } }),
      ]
      expect(late.map(refusalOf)).toEqual(late.map(() => [412, 'UpdateConditionNotSatisfied']))
      const { etag = '' } = (await row('GET', ['p', 'r'])).headers
      expect((await row('DELETE', ['p', 'r'], { headers: { 'if-match': etag } })).status).toBe(204)
      expect((await row('GET', ['p', 'r'])).status).toBe(404)
    },
  },
  {
    title: 'never gives two versions of a row the same ETag',
    async run({ row }) {
      const etags = new Set<string | undefined>()
      for (let n = 0; n < 20; n++)
        etags.add((await row('PUT', ['p', 'r'], { body: { n } })).headers.etag)
      expect(etags.size).toBe(20)
    },
  },
  {
    title: 'refuses a delete without a condition',
    azuriteDiffers: '9: a delete without If-Match is answered with an empty body',
    async run({ insert, row }) {
      await insert('p', 'r')
      expect((await row('DELETE', ['p', 'r'])).status).toBe(400)
      expect((await row('GET', ['p', 'r'])).status).toBe(200)
    },
  },
  {
    title: 'refuses more properties than an entity may have',
    azuriteDiffers: '4: the number of properties is not checked',
    async run({ insert }) {
      const many = Object.fromEntries(Array.from({ length: 253 }, (_, at) => [`p${at}`, at]))
      expect(refusalOf(await insert('p', 'r', many))).toEqual([400, 'TooManyProperties'])
    },
  },
  {
    title: 'refuses a property that is too large',
    async run({ insert }) {
      const refused = await insert('p', 'r', { text: 'x'.repeat(32 * 1024 + 1) })
      expect(refusalOf(refused)).toEqual([400, 'PropertyValueTooLarge'])
      expect((await insert('p', 'r', { text: 'x'.repeat(32 * 1024) })).status).toBe(201)
    },
  },
  {
    title: 'refuses an entity without a key',
    async run({ client, name }) {
      const refused = await client.send('POST', `/${name}`, { body: { PartitionKey: 'p' } })
      expect(refusalOf(refused)).toEqual([400, 'PropertiesNeedValue'])
    },
  },
]
