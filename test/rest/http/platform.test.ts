import { expect, it } from 'vitest'
import {
  defaultTransport,
  randomId,
  runtimeText,
} from '../../../packages/rest/src/http/platform.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('makes random ids', () => {
  const ids = Array.from({ length: 10 }, randomId)
  expect(new Set(ids).size).toBe(10)
  for (const id of ids) expect(id).toMatch(UUID)
})

it('carries requests', async () => {
  const transport = defaultTransport()
  expect(transport).toBeTypeOf('function')
  await transport.close?.()
})

it('names Node, whether or not the program runs on a server', () => {
  expect(runtimeText(false)).toMatch(/^node \d+\.\d+\.\d+; \w+; \w+$/)
  expect(runtimeText(true)).toBe(runtimeText(false))
})
