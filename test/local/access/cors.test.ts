import { describe, expect, it } from 'vitest'
import { isOpen, matchingRule, namesHeader } from '../../../packages/local/src/access/cors.ts'
import type { CorsRule } from '../../../packages/local/src/service-properties/service-properties.ts'

const rule = (allowedOrigins: string[], allowedMethods: string[]): CorsRule => ({
  allowedOrigins,
  allowedMethods,
  maxAge: 0,
  exposedHeaders: [],
  allowedHeaders: [],
})

describe('matchingRule', () => {
  const one = rule(['http://a.example', 'http://b.example'], ['GET', 'PUT'])
  const all = rule(['*'], ['GET'])

  it.each([
    ['http://a.example', 'GET', one],
    ['http://b.example', 'PUT', one],
    ['http://c.example', 'GET', all],
    ['http://c.example', 'PUT', undefined],
    ['http://A.example', 'PUT', undefined],
    ['https://a.example', 'PUT', undefined],
    ['http://a.example', 'get', undefined],
  ])('R-83: finds the first rule for %s and %s', (origin, method, expected) => {
    expect(matchingRule([one, all], origin, method)).toBe(expected)
  })

  it('is open only with a star', () => {
    expect([isOpen(one), isOpen(all)]).toEqual([false, true])
  })
})

describe('namesHeader', () => {
  it.each([
    [['x-ms-*'], 'x-ms-date', true],
    [['X-MS-*'], 'x-ms-DATE', true],
    [['x-ms-*'], 'content-type', false],
    [['Content-Type'], 'content-type', true],
    [['content'], 'content-type', false],
    [['*'], 'anything', true],
    [[], 'anything', false],
  ])('R-83: of %j contains %s: %s', (names, header, expected) => {
    expect(namesHeader(names, header)).toBe(expected)
  })
})
