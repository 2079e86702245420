import { expect, it, vi } from 'vitest'
import { seeingOptions } from '../../rest/invented-option.ts'
import { calls, counting } from '../calls.ts'

// An option that no code knows: every call takes it, and nothing can copy it by its name.
vi.mock('../../../packages/rest/src/call/call-options.ts', async (original) => {
  const { anything, declareOptions } = await import('@rowkey/odata')
  const { callOptions } = await original<{ readonly callOptions: { readonly rules: object } }>()
  return { callOptions: declareOptions({ ...callOptions.rules, invented: anything }) }
})

it.each(Object.entries(calls))('%s gives an invented option to each request', async (_, begin) => {
  const seen: string[] = []
  const place = counting({ seen: (service) => seeingOptions(service, seen).service })
  const call = await begin(place)
  seen.length = 0
  const invented: object = { invented: 'yes' }
  await call(invented)
  expect(seen).not.toEqual([])
  expect(seen.filter((each) => !each.endsWith(': yes'))).toEqual([])
})
