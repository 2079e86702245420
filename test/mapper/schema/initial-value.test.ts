import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { initialValue } from '../../../packages/mapper/src/schema/initial-value.ts'

describe('initialValue', () => {
  it.each([
    [z.string(), undefined],
    [z.string().default('x'), 'x'],
    [z.string().default(() => 'made'), 'made'],
    [z.string().default('x').readonly(), 'x'],
    [z.date().nullable(), null],
    [z.date().nullable().readonly(), null],
    [z.date().nullable().optional(), undefined],
    [z.string().optional(), undefined],
    [z.string().nullable().default('x'), 'x'],
  ])('%#: of %o is %s', (schema, value) => {
    expect(initialValue(schema)).toBe(value)
  })
})
