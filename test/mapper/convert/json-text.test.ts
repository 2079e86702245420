import { jsonText } from '@rowkey/mapper'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const key = { partitionKey: 'a', rowKey: 'b' }
const points = z.object({ points: z.int() })
const dated = z.object({
  at: z.codec(z.iso.datetime(), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  }),
})

describe('jsonText', () => {
  it('writes JSON text, and reads it back', () => {
    const json = jsonText()
    expect(json.type).toBe('String')
    expect(json.toStored({ tags: ['a'] }, key)).toBe('{"tags":["a"]}')
    expect(json.fromStored('{"tags":["a"]}', key)).toEqual({ tags: ['a'] })
  })

  it('checks values with its schema when they are written and when they are read', () => {
    const json = jsonText(points)
    expect(json.toStored({ points: 5 }, key)).toBe('{"points":5}')
    expect(() => json.toStored({ points: 5.5 }, key)).toThrow(/^The schema rejects it\. points: /)
    expect(() => json.fromStored('{"points":"5"}', key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('R-125: reads text that its schema rejects when it is lenient', () => {
    const json = jsonText(points, { read: 'lenient' })
    expect(json.fromStored('{"points":"5"}', key)).toEqual({ points: '5' })
    expect(() => json.toStored({ points: 5.5 }, key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('converts with a codec of zod, both ways', () => {
    const json = jsonText(dated)
    const value = { at: new Date(0) }
    expect(json.toStored(value, key)).toBe('{"at":"1970-01-01T00:00:00.000Z"}')
    expect(json.fromStored('{"at":"1970-01-01T00:00:00.000Z"}', key)).toEqual(value)
  })

  it('updates stored text, and keeps the unchanged parts', () => {
    const text = '{"id":12345678901234567890,"b":1}'
    const base = JSON.parse(text)
    const json = jsonText()
    expect(json.update?.(text, base, key)).toBe(text)
    expect(json.update?.(text, { ...base, b: 2 }, key)).toBe('{"id":12345678901234567890,"b":2}')
  })

  it('updates the members that its schema shows, and keeps the others', () => {
    const text = '{"id":12345678901234567890,"points":5.0}'
    const json = jsonText(points)
    expect(json.update?.(text, { points: 5 }, key)).toBe(text)
    expect(json.update?.(text, { points: 6 }, key)).toBe('{"points":6,"id":12345678901234567890}')
    expect(() => json.update?.(text, { points: 6.5 }, key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
    const at = '"1970-01-01T00:00:00.000Z"'
    expect(jsonText(dated).update?.(`{ "at" : ${at} }`, { at: new Date(0) }, key)).toBe(
      `{ "at" : ${at} }`,
    )
  })

  it('R-125: keeps unchanged text that its schema rejects when it is lenient, and accepts a valid value', () => {
    const json = jsonText(points, { read: 'lenient' })
    const text = '{"points" : "5", "id" : 1e999}'
    const value = JSON.parse(text)
    expect(json.update?.(text, value, key)).toBe(text)
    expect(json.update?.(text, { points: 5 }, key)).toBe('{"points":5}')
    expect(() => json.update?.(text, { ...value, points: '6' }, key)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('does not quote stored text that is not JSON', () => {
    expect(() => jsonText().fromStored('secret{', key)).toThrow('The stored text is not JSON.')
  })

  it('rejects values that are not schemas, and unknown options', () => {
    expect(() => jsonText({} as never)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
    expect(() => jsonText(points, { read: 'later' as never })).toThrow(/'strict' or 'lenient'/)
    expect(() => jsonText(points, { strict: true } as never)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
  })
})
