import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import { backwards } from '../../../packages/mapper/src/standard-schema/backwards.ts'

const isoDate = { decode: (text: string) => new Date(text), encode: (date: Date) => date.toJSON() }
const noon = new Date('2026-11-22T12:00:00Z')

describe('backwards', () => {
  it.each([
    ['zod', z.codec(z.iso.datetime(), z.date(), isoDate)],
    ['zod mini', mini.codec(mini.iso.datetime(), mini.date(), isoDate)],
  ])('encodes by a codec of %s', (_, schema) => {
    expect(backwards(schema, noon)).toEqual({ value: '2026-11-22T12:00:00.000Z' })
  })

  it.each([
    ['zod', z.object({ a: z.string() })],
    ['zod mini', mini.object({ a: mini.string() })],
    ['valibot', v.object({ a: v.string() })],
    ['arktype', type({ a: 'string' })],
  ])('checks a value by a schema of %s', (_, schema) => {
    expect(backwards(schema, { a: 'x' })).toMatchObject({ value: { a: 'x' } })
    const { issues } = backwards(schema, { a: 1 }) as {
      issues: { message: string; path: unknown[] }[]
    }
    expect(issues[0]?.message).toEqual(expect.stringMatching(/./))
    expect(Object(issues[0]?.path?.[0]).key ?? issues[0]?.path?.[0]).toBe('a')
  })
})
