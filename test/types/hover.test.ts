import { expect, it } from 'vitest'
import { hover } from './compile.ts'

const program = `
import { defineEntity, type EntityOf, type InputOf, key } from '@rowkey/mapper'
import { z } from 'zod'

const Order = defineEntity({
  name: 'orders',
  partitionKey: key\`\${'customerId'}\`,
  rowKey: key\`\${'orderNo:8'}\`,
  etag: 'etag',
  timestamp: 'modified',
  schema: z.object({ customerId: z.string(), orderNo: z.number().int(), lines: z.int32().default(1) }),
})
type Stored = EntityOf<typeof Order>
type New = InputOf<typeof Order>
declare const stored: Stored
`

it('editors show the properties of EntityOf', () => {
  const shown = hover(program, 'type Stored')
  for (const property of [
    'customerId: string;',
    'orderNo: number;',
    'lines: number;',
    'etag?: string',
    'modified?: Date',
  ])
    expect(shown).toContain(property)
})

it('editors show the properties of InputOf, the ones with a default as optional', () => {
  expect(hover(program, 'type New')).toMatch(/customerId: string;[\s\S]*lines\?: number/)
})

it('editors show the entity and the key of a model without the types they are made from', () => {
  const shown = hover(program, 'const Order')
  expect(shown).toContain('customerId: string;')
  expect(shown).not.toMatch(/KeyValues|SchemaOutput|DefinedEntity|Zod/)
})
