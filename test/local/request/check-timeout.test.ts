import { describe, expect, it } from 'vitest'
import { parseQueryParameters } from '../../../packages/local/src/request/query-parameters.ts'
import { checkTimeout } from '../../../packages/local/src/request/read-request.ts'

const check = (query: string) => () => checkTimeout(parseQueryParameters(query))

describe('checkTimeout', () => {
  it.each(['', 'timeout=0', 'timeout=30', 'timeout=100'])("accepts '%s'", (query) => {
    expect(check(query)).not.toThrow()
  })

  it.each(['abc', '-1', '', '1.5', '1e3', '9999999999'])(
    "rejects a timeout of '%s', which is not a number of seconds",
    (timeout) => {
      expect(check(`timeout=${timeout}`)).toThrow(
        expect.objectContaining({ status: 400, code: 'InvalidQueryParameterValue' }),
      )
    },
  )
})
