import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withChecks } from '../../../packages/rest/src/endpoint/checks.ts'
import {
  checkEntity,
  entitySize,
  propertySizes,
} from '../../../packages/rest/src/request/check-entity.ts'
import { contoso, cosmos, jeff } from '../people.ts'

const keys = { PartitionKey: 'Smith', RowKey: 'Jeff' }
const written = (properties: object) => ({
  ...jeff,
  body: JSON.stringify({ ...keys, ...properties }),
})
const numbered = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, value]))

/** Properties that make an entity of exactly so many bytes. */
function weighing(bytes: number): object {
  const strings: Record<string, string> = {}
  let left = bytes - entitySize(9, [])
  for (let i = 10; left > 0; i++) {
    // The last two share what is left, so that neither is too small to be one.
    const size = left > 130_000 ? 65_000 : left > 65_000 ? 33_000 : left
    strings[`p${i}`] = 'x'.repeat((size - 8 - 6 - 4) / 2)
    left -= size
  }
  return strings
}

describe('checkEntity', () => {
  it('R-03: accepts 252 properties and rejects 253, with their number', () => {
    expect(() => checkEntity(written(numbered(252, 1)), contoso)).not.toThrow()
    expect(() => checkEntity(written(numbered(253, 1)), contoso)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'TooManyProperties',
        details: { count: 253, limit: 252 },
        message: expect.stringMatching(
          /^people\(.*Jeff.* has 253 properties, but at most 252 are allowed/,
        ),
      }),
    )
  })

  it('R-03: finds 253 properties in the shortest text that holds them', () => {
    const names = Array.from({ length: 253 }, (_, i) => String.fromCodePoint(0x4e00 + i))
    const body = `{${names.map((name) => `"${name}":1`).join(',')}}`
    expect(() => checkEntity({ ...jeff, body }, contoso)).toThrow(/253 properties/)
  })

  it('R-03, R-09: counts neither annotations nor nulls', () => {
    const annotated = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [
        [`p${i}@odata.type`, 'Edm.Int64'],
        [`p${i}`, '5'],
      ]).flat(),
    )
    expect(() => checkEntity(written(annotated), contoso)).not.toThrow()
    expect(() => checkEntity(written(numbered(300, null)), contoso)).not.toThrow()
    expect(() => checkEntity(written({ note: '":'.repeat(300) }), contoso)).not.toThrow()
  })

  it.each([
    ['a String', 'x'.repeat(32_768), 'x'.repeat(32_769), undefined, 65_538],
    ['a Binary', base64(65_536), base64(65_537), 'Edm.Binary', 65_537],
  ])('R-08: rejects %s beyond 64 KiB, and names the property', (_, largest, larger, type, size) => {
    const annotation = type && { 'photo@odata.type': type }
    expect(() => checkEntity(written({ ...annotation, photo: largest }), contoso)).not.toThrow()
    expect(() => checkEntity(written({ ...annotation, photo: larger }), contoso)).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'EntityTooLarge',
        details: { property: 'photo', count: size, limit: 65_536 },
      }),
    )
  })

  it.each([
    ['1 MiB', contoso, 1024 * 1024],
    ['2 MiB on Cosmos DB', cosmos, 2 * 1024 * 1024],
  ])('R-04: accepts an entity of exactly %s and rejects two more bytes', (_, endpoint, limit) => {
    expect(() => checkEntity(written(weighing(limit)), endpoint)).not.toThrow()
    expect(() => checkEntity(written(weighing(limit + 2)), endpoint)).toThrow(
      expect.objectContaining({
        code: 'EntityTooLarge',
        details: { property: expect.any(String), count: limit + 2, limit },
        message: expect.stringContaining(`${limit + 2} bytes`),
      }),
    )
  })

  it('leaves each limit to the service when configured', () => {
    const bad = [
      ['propertyCount', written(numbered(253, 1))],
      ['propertySizes', written({ photo: 'x'.repeat(40_000) })],
      ['entitySize', written(weighing(1024 * 1024 + 2))],
    ] as const
    for (const [name, write] of bad) {
      expect(() => checkEntity(write, contoso)).toThrow()
      const others = bad.filter(([other]) => other !== name).map(([other]) => other)
      const left = withChecks(contoso, { [name]: 'by the service' })
      expect(() => checkEntity(write, left)).not.toThrow()
      const kept = withChecks(
        contoso,
        Object.fromEntries(others.map((other) => [other, 'by the service'])),
      )
      expect(() => checkEntity(write, kept)).toThrow()
    }
  })

  it('leaves a body that is not JSON to the service', () => {
    expect(() => checkEntity({ ...jeff, body: 'x'.repeat(50_000) }, contoso)).not.toThrow()
    expect(() => checkEntity({ ...jeff, body: `[${'1,'.repeat(30_000)}1]` }, contoso)).not.toThrow()
  })

  it('never skips an invalid entity because its text is short', () => {
    // No character of JSON stands for more than three bytes: the shortest text that is skipped fits.
    const value = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.double(), fc.constant(''))
    const entity = fc.dictionary(fc.stringMatching(/^[A-Za-z_]\w{0,5}$/), value)
    fc.assert(
      fc.property(entity, (raw) => {
        const size = entitySize(0, propertySizes(raw))
        expect(size).toBeLessThanOrEqual(JSON.stringify(raw).length * 3 + 4)
      }),
    )
  })
})

function base64(bytes: number): string {
  return Buffer.alloc(bytes).toString('base64')
}

describe('the property names that Cosmos DB reserves', () => {
  it.each(['id', 'ID', 'rid', 'ResourceId'])('R-177: are rejected: %s', (property) => {
    expect(() => checkEntity(written({ [property]: 1 }), cosmos)).toThrow(
      expect.objectContaining({
        code: 'ReservedPropertyName',
        details: { property },
        message: expect.stringContaining(
          `people(PartitionKey='Smith',RowKey='Jeff') has a property ${property}`,
        ),
      }),
    )
  })

  it('R-177: are rejected however the body is written', () => {
    const body = '{"PartitionKey":"a" , "rid" : 5}'
    expect(() => checkEntity({ ...jeff, body }, cosmos)).toThrow(/has a property rid/)
  })

  it.each([{ etag: 1 }, { Id: 1 }, { idea: 1 }, { note: '{"id":1}' }, { note: '"id":' }])(
    'do not include similar names, nor names within values: %j',
    (properties) => expect(() => checkEntity(written(properties), cosmos)).not.toThrow(),
  )

  it('are free in Table storage, and when only the service checks names', () => {
    const lenient = withChecks(cosmos, { propertyNames: 'by the service' })
    for (const endpoint of [contoso, lenient]) {
      expect(() => checkEntity(written({ id: 1 }), endpoint)).not.toThrow()
    }
  })
})

describe('propertySizes', () => {
  it.each([
    ['a String', { P: 'äbc' }, 4 + 2 * 3],
    ['an empty String', { P: '' }, 4],
    ['a Boolean', { P: true }, 1],
    ['an Int32', { P: -2_147_483_648 }, 4],
    ['a number beyond Int32', { P: 2_147_483_648 }, 8],
    ['a Double', { P: 1.5 }, 8],
    ['a whole Double', { P: 3, 'P@odata.type': 'Edm.Double' }, 8],
    ['NaN', { P: 'NaN', 'P@odata.type': 'Edm.Double' }, 8],
    ['an Int64', { P: '5', 'P@odata.type': 'Edm.Int64' }, 8],
    ['a DateTime', { P: '2014-08-22T00:50:30Z', 'P@odata.type': 'Edm.DateTime' }, 8],
    ['a Guid', { P: 'c9da6455-213d-42c9-9a79-3e9149a57833', 'P@odata.type': 'Edm.Guid' }, 16],
    ['a Binary of 3', { P: 'AAAA', 'P@odata.type': 'Edm.Binary' }, 4 + 3],
    ['a Binary of 2', { P: 'AAA=', 'P@odata.type': 'Edm.Binary' }, 4 + 2],
    ['a Binary of 1', { P: 'AA==', 'P@odata.type': 'Edm.Binary' }, 4 + 1],
    ['an empty Binary', { P: '', 'P@odata.type': 'Edm.Binary' }, 4],
  ])('R-08: counts %s', (_, raw, size) => {
    expect(propertySizes(raw)).toEqual([{ name: 'P', size }])
  })

  it('R-05, R-09: counts neither keys nor Timestamp nor unstored members', () => {
    const raw = {
      PartitionKey: 'a',
      RowKey: 'b',
      Timestamp: 'c',
      'odata.etag': 'd',
      Nothing: null,
      age: 5,
    }
    expect(propertySizes(raw)).toEqual([{ name: 'age', size: 4 }])
  })
})

describe('entitySize', () => {
  it('R-04: follows the formula of the service', () => {
    const properties = [
      { name: 'age', size: 4 },
      { name: 'note', size: 24 },
    ]
    expect(entitySize(0, [])).toBe(4)
    expect(entitySize(9, properties)).toBe(4 + 2 * 9 + (8 + 6 + 4) + (8 + 8 + 24))
  })
})
