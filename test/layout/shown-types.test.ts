import { expect, it } from 'vitest'
import { checkSample } from './type-sample.ts'

/** An editor shows a type as the compiler writes it in a message. */
const shown = (type: string) =>
  checkSample(`import { defineEntity, type EntityOf, type InputOf, key } from '@rowkey/mapper'
import * as z from 'zod'
const Order = defineEntity({
  name: 'orders',
  partitionKey: key\`\${'customerId'}\`,
  rowKey: key\`\${'orderNo'}\`,
  schema: z.object({ customerId: z.string(), orderNo: z.string(), lines: z.int32().default(1) }),
  etag: 'version',
})
export type Both = [EntityOf<typeof Order>, InputOf<typeof Order>]
export const hover: never = {} as ${type}`).errors.join('\n')

it('shows the properties of a defined entity, not the types that it is made from', () => {
  expect(shown('EntityOf<typeof Order>')).toContain(
    "Type '{ customerId: string; orderNo: string; lines: number; version?: string; }'",
  )
  expect(shown('InputOf<typeof Order>')).toContain(
    "Type '{ customerId: string; orderNo: string; lines?: number | undefined; version?: string; }'",
  )
  // It runs the compiler, which takes long on a busy machine.
}, 240_000)
