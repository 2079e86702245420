import { AbortError, type HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { inProcessTransport } from '../../../packages/local/src/http/in-process-transport.ts'

const answer = { status: 204, headers: {}, body: '' }
const requestOf = (method: 'GET' | 'PUT'): HttpRequest => ({
  method,
  origin: 'http://localhost',
  path: '/',
  query: '',
  headers: {},
  body: undefined,
})

describe('inProcessTransport', () => {
  it('carries the request as it is, and the answer', async () => {
    const seen: HttpRequest[] = []
    const transport = inProcessTransport(async (request) => {
      seen.push(request)
      return answer
    })
    const request = requestOf('PUT')
    expect(await transport(request)).toBe(answer)
    expect(seen).toEqual([request])
  })

  it.each([
    ['PUT', true],
    ['GET', false],
  ] as const)(
    'says of a %s aborted on its way that it may have applied: %s',
    async (method, may) => {
      const controller = new AbortController()
      const transport = inProcessTransport(async () => {
        controller.abort('enough')
        return answer
      })
      const failure = transport(requestOf(method), { signal: controller.signal })
      await expect(failure).rejects.toThrow(AbortError)
      await expect(failure).rejects.toMatchObject({ cause: 'enough', mayHaveApplied: may })
    },
  )

  it('asks nobody once closed', async () => {
    const transport = inProcessTransport(() => expect.fail('nobody should be asked'))
    await transport.close?.()
    await expect(transport(requestOf('GET'))).rejects.toMatchObject({
      code: 'ConnectionFailed',
      mayHaveApplied: false,
    })
  })
})
