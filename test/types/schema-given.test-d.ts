import { defineEntity, type EntityOf, type InputOf, key } from '@rowkey/mapper'
import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})
const Meeting = defineEntity({
  name: 'meetings',
  partitionKey: key`${'room'}`,
  rowKey: key`${'at:time'}`,
  schema: z.object({
    room: z.string(),
    at: isoDate,
    isOpen: z.stringbool().default(true),
    until: isoDate.nullable().optional(),
    plan: z.object({ tries: z.number().default(3), at: isoDate }).optional(),
    stops: z.array(isoDate).default([]),
    tag: z.string().trim(),
    size: z.coerce.number(),
  }),
})

describe('the types of a schema with codecs', () => {
  it('are those that reads show', () => {
    expectTypeOf<EntityOf<typeof Meeting>>().toEqualTypeOf<{
      room: string
      at: Date
      isOpen: boolean
      until?: Date | null | undefined
      plan?: { tries: number; at: Date } | undefined
      stops: Date[]
      tag: string
      size: number
    }>()
  })

  it('of what is written have the shown form, where defaults may be missing', () => {
    type Given = InputOf<typeof Meeting>
    expectTypeOf<Given['at']>().toEqualTypeOf<Date>()
    expectTypeOf<Given['isOpen']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<Given['until']>().toEqualTypeOf<Date | null | undefined>()
    expectTypeOf<NonNullable<Given['plan']>>().toEqualTypeOf<{
      tries?: number | undefined
      at: Date
    }>()
    expectTypeOf<Given['stops']>().toEqualTypeOf<Date[] | undefined>()
    expectTypeOf<Given['size']>().toEqualTypeOf<unknown>()
  })
})
