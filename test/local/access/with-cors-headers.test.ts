import type { HttpRequest } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { withCorsHeaders } from '../../../packages/local/src/access/cors.ts'
import type { CorsRule } from '../../../packages/local/src/service-properties/service-properties.ts'

const rule: CorsRule = {
  allowedOrigins: ['http://a.example'],
  allowedMethods: ['GET', 'PUT'],
  maxAge: 500,
  exposedHeaders: ['etag', 'x-ms-*'],
  allowedHeaders: [],
}
const open: CorsRule = { ...rule, allowedOrigins: ['*'], exposedHeaders: [] }
const headers = { 'content-type': 'application/json', 'x-ms-version': '1', 'x-ms-request-id': '2' }

const added = (rules: CorsRule[], origin?: string, method: HttpRequest['method'] = 'GET') => {
  const request: HttpRequest = {
    method,
    origin: 'http://localhost',
    path: '/',
    query: '',
    headers: origin === undefined ? {} : { origin },
    body: undefined,
  }
  const response = withCorsHeaders(rules, request, { status: 200, headers, body: 'x' })
  expect(response).toMatchObject({ status: 200, headers, body: 'x' })
  const names = Object.keys(response.headers).filter((name) => !(name in headers))
  return Object.fromEntries(names.map((name) => [name, response.headers[name]]))
}

describe('withCorsHeaders', () => {
  it('adds nothing without rules', () => {
    expect(added([], 'http://a.example')).toEqual({})
  })

  it('adds nothing to the response to a preflight', () => {
    const every: CorsRule = { ...open, allowedMethods: ['GET', 'OPTIONS'] }
    expect(added([every], 'http://a.example', 'OPTIONS')).toEqual({})
  })

  it('R-83: lets a page of an allowed origin read the response and the exposed headers', () => {
    expect(added([rule], 'http://a.example')).toEqual({
      'access-control-allow-origin': 'http://a.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'etag,x-ms-version,x-ms-request-id',
      vary: 'Origin',
    })
  })

  it('R-83: says that a read depends on the origin, even without an Origin', () => {
    expect(added([rule], 'http://b.example')).toEqual({ vary: 'Origin' })
    expect(added([rule])).toEqual({ vary: 'Origin' })
    expect(added([rule], 'http://a.example', 'PUT').vary).toBeUndefined()
    expect(added([rule], 'http://a.example', 'DELETE')).toEqual({})
  })

  it('R-83: gives the same response to all origins when all are allowed', () => {
    expect(added([open], 'http://b.example')).toEqual({ 'access-control-allow-origin': '*' })
    expect(added([rule, open])).toEqual({})
  })
})
