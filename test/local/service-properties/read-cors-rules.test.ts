import { describe, expect, it } from 'vitest'
import { readCorsRules } from '../../../packages/local/src/service-properties/service-properties.ts'
import { readDocument } from '../../../packages/local/src/xml/xml.ts'

const FIELDS = {
  AllowedOrigins: 'http://a.example',
  AllowedMethods: 'GET',
  MaxAgeInSeconds: '5',
  ExposedHeaders: '',
  AllowedHeaders: '',
}
const rule = (fields: Partial<typeof FIELDS> = {}) =>
  Object.entries({ ...FIELDS, ...fields })
    .map(([name, text]) => (text === undefined ? '' : `<${name}>${text}</${name}>`))
    .join('')
const read = async (...rules: string[]) =>
  readCorsRules(
    await readDocument(
      `<Cors>${rules.map((one) => `<CorsRule>${one}</CorsRule>`).join('')}</Cors>`,
    ),
  )
const many = (count: number, end = '') =>
  Array.from({ length: count }, (_, index) => `h${index}${end}`).join(',')

describe('readCorsRules', () => {
  it('R-83: reads the lists of a rule', async () => {
    const fields = { AllowedOrigins: '*', AllowedMethods: 'GET, PUT', AllowedHeaders: 'a,x-ms-*' }
    expect(await read(rule(fields))).toEqual([
      {
        allowedOrigins: ['*'],
        allowedMethods: ['GET', 'PUT'],
        maxAge: 5,
        exposedHeaders: [],
        allowedHeaders: ['a', 'x-ms-*'],
      },
    ])
    expect(await read()).toEqual([])
  })

  it.each(['DELETE', 'GET', 'HEAD', 'MERGE', 'OPTIONS', 'PATCH', 'POST', 'PUT'])(
    'R-83: accepts the method %s',
    async (method) => {
      const [only] = await read(rule({ AllowedMethods: method }))
      expect(only?.allowedMethods).toEqual([method])
    },
  )

  it('R-83: accepts as many rules as the service', async () => {
    expect(await read(...Array.from({ length: 5 }, () => rule()))).toHaveLength(5)
    const fields = { AllowedHeaders: many(64), ExposedHeaders: many(2, '*') }
    expect(await read(rule({ ...fields, AllowedOrigins: many(64) }))).toHaveLength(1)
    expect(await read(rule({ AllowedOrigins: 'o'.repeat(256) }))).toHaveLength(1)
  })

  it.each([
    ['six rules', Array.from({ length: 6 }, () => rule())],
    ['no origin', [rule({ AllowedOrigins: '' })]],
    ['65 origins', [rule({ AllowedOrigins: many(65) })]],
    ['an origin of 257 characters', [rule({ AllowedOrigins: 'o'.repeat(257) })]],
    ['no method', [rule({ AllowedMethods: '' })]],
    ['an unknown method', [rule({ AllowedMethods: 'GET,TRACE' })]],
    ['a negative age', [rule({ MaxAgeInSeconds: '-1' })]],
    ['65 headers', [rule({ AllowedHeaders: many(65) })]],
    ['three prefixes', [rule({ ExposedHeaders: many(3, '*') })]],
    ['an empty name', [rule({ AllowedHeaders: 'a,,b' })]],
    ['a name that no header can have', [rule({ ExposedHeaders: 'x-ms-é' })]],
    ['a line break in a name', [rule({ ExposedHeaders: 'a&#13;&#10;set-cookie: b' })]],
    ['a missing member', ['<AllowedOrigins>*</AllowedOrigins>']],
    [
      'more than 2 KiB',
      Array.from({ length: 5 }, () =>
        rule({ AllowedHeaders: 'h'.repeat(250), ExposedHeaders: 'h'.repeat(250) }),
      ),
    ],
  ])('R-83: rejects %s', async (_, rules) => {
    await expect(read(...rules)).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlDocument' }),
    )
  })

  it.each(['<Cors><Rule/></Cors>', '<Cors>text</Cors>'])('rejects %s', async (document) => {
    const root = await readDocument(document)
    expect(() => readCorsRules(root)).toThrow(
      expect.objectContaining({ code: 'InvalidXmlDocument' }),
    )
  })
})
