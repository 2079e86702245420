import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  hasSameContent,
  holdsContent,
} from '../../../packages/rest/src/reconcile/reconcile-entity.ts'

const KEYS = '"PartitionKey":"a","RowKey":"b"'
const sent = (members: string) => `{${KEYS}${members && `,${members}`}}`
const stored = (members: string) =>
  parseEntityJson(
    `{"odata.etag":"W/\\"x\\"",${KEYS},"Timestamp":"2026-11-20T12:00:00Z"${members && `,${members}`}}`,
  ) as RawEntity

describe('hasSameContent', () => {
  it.each([
    ['nothing but keys', '', ''],
    ['the same text', '"s":"x"', '"s":"x"'],
    ['another order', '"s":"x","n":1', '"n":1,"s":"x"'],
    ['a null that is not stored', '"s":"x","gone":null', '"s":"x"'],
    ['a Timestamp that the service makes itself', '"Timestamp":"2001-01-01T00:00:00Z"', ''],
    ['a type that goes without saying', '"n":1,"n@odata.type":"Edm.Int32"', '"n":1'],
    ['a whole Double', '"d":3,"d@odata.type":"Edm.Double"', '"d":3.0'],
    ['an Int64', '"i@odata.type":"Edm.Int64","i":"5"', '"i@odata.type":"Edm.Int64","i":"5"'],
    [
      'a DateTime with other digits',
      '"t@odata.type":"Edm.DateTime","t":"2026-11-20T12:00:00.500Z"',
      '"t@odata.type":"Edm.DateTime","t":"2026-11-20T12:00:00.5Z"',
    ],
    [
      'a Guid in another case',
      '"g@odata.type":"Edm.Guid","g":"C9DA6455-213D-42C9-9A79-3E9149A57833"',
      '"g@odata.type":"Edm.Guid","g":"c9da6455-213d-42c9-9a79-3e9149a57833"',
    ],
  ])('accepts the same content: %s', (_, given, found) => {
    expect(hasSameContent(sent(given), stored(found))).toBe(true)
    expect(holdsContent(sent(given), stored(found))).toBe(true)
  })

  it.each([
    ['another value', '"n":1', '"n":2'],
    ['another type', '"n":1', '"n":1.0'],
    ['text in place of a number', '"i@odata.type":"Edm.Int64","i":"5"', '"i":"5"'],
    ['another name', '"n":1', '"N":1'],
    ['a property that is missing', '"n":1,"m":1', '"n":1'],
  ])('rejects %s', (_, given, found) => {
    expect(hasSameContent(sent(given), stored(found))).toBe(false)
    expect(holdsContent(sent(given), stored(found))).toBe(false)
  })

  it('accepts another property, which a merge keeps', () => {
    expect(hasSameContent(sent('"n":1'), stored('"n":1,"m":1'))).toBe(false)
    expect(holdsContent(sent('"n":1'), stored('"n":1,"m":1'))).toBe(true)
  })

  it.each(['', 'x', 'null', '{"d@odata.type":"Edm.Double","d":"x"}'])(
    'rejects %j, which is not an entity',
    (body) => {
      expect(hasSameContent(body, stored(''))).toBe(false)
      expect(holdsContent(body, stored(''))).toBe(false)
    },
  )
})
