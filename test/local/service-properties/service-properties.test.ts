import { describe, expect, it } from 'vitest'
import {
  NEW_SERVICE,
  printServiceProperties,
  readBoolean,
  readCorsRules,
  readList,
  readNumber,
  readServiceProperties,
  type ServiceProperties,
} from '../../../packages/local/src/service-properties/service-properties.ts'
import { readDocument } from '../../../packages/local/src/xml/xml.ts'

const kept = { enabled: true, days: 7 }
const properties: ServiceProperties = {
  logging: { version: '1.0', read: true, write: false, delete: true, retention: kept },
  hourMetrics: { version: '1.0', enabled: true, includeApis: false, retention: kept },
  minuteMetrics: NEW_SERVICE.minuteMetrics,
  cors: [
    {
      allowedOrigins: ['http://a.example', 'http://b.example'],
      allowedMethods: ['GET', 'PUT'],
      maxAge: 500,
      exposedHeaders: ['x-ms-*'],
      allowedHeaders: [],
    },
  ],
}

describe('printServiceProperties', () => {
  it('R-83: prints enabled properties in the order of the service', async () => {
    const text = printServiceProperties(properties)
    expect(text).toContain(
      '<Read>true</Read><Write>false</Write><Delete>true</Delete><RetentionPolicy><Enabled>true</Enabled><Days>7</Days></RetentionPolicy>',
    )
    expect(text).toContain(
      '<HourMetrics><Version>1.0</Version><Enabled>true</Enabled><IncludeAPIs>false</IncludeAPIs>',
    )
    expect(text).toContain(
      '<Cors><CorsRule><AllowedOrigins>http://a.example,http://b.example</AllowedOrigins><AllowedMethods>GET,PUT</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds><ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders /></CorsRule></Cors>',
    )
  })

  it('R-83: prints a document that reads the same', async () => {
    expect(await readServiceProperties(printServiceProperties(properties))).toEqual(properties)
    expect(await readServiceProperties(printServiceProperties(NEW_SERVICE))).toEqual(NEW_SERVICE)
  })
})

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

const document = (content: string) =>
  `<StorageServiceProperties>${content}</StorageServiceProperties>`
const retention = (content = '<Enabled>false</Enabled>') =>
  `<RetentionPolicy>${content}</RetentionPolicy>`
const logging = (end = retention()) =>
  `<Logging><Version>1.0</Version><Delete>False</Delete><Read>True</Read><Write>false</Write>${end}</Logging>`
const metrics = (content: string) =>
  `<HourMetrics><Version>1.0</Version>${content}${retention()}</HourMetrics>`

describe('readServiceProperties', () => {
  it('R-83: leaves out missing parts', async () => {
    expect(await readServiceProperties(document(''))).toEqual({})
    expect(await readServiceProperties(document('<Cors/>'))).toEqual({ cors: [] })
  })

  it('R-83: reads logging with members in any order, and Booleans in any case', async () => {
    expect(await readServiceProperties(document(logging()))).toEqual({
      logging: {
        version: '1.0',
        read: true,
        write: false,
        delete: false,
        retention: { enabled: false, days: undefined },
      },
    })
  })

  it('R-83: ignores the members of a disabled part', async () => {
    const read = async (content: string) =>
      (await readServiceProperties(document(metrics(content)))).hourMetrics
    const on = await read('<Enabled>true</Enabled><IncludeAPIs>true</IncludeAPIs>')
    expect([on?.enabled, on?.includeApis]).toEqual([true, true])
    const off = await read('<Enabled>false</Enabled><IncludeAPIs>true</IncludeAPIs>')
    expect([off?.enabled, off?.includeApis]).toEqual([false, undefined])
    await expect(read('<Enabled>true</Enabled>')).rejects.toThrow()
  })

  it.each([
    ['<Enabled>true</Enabled><Days>1</Days>', { enabled: true, days: 1 }],
    ['<Enabled>true</Enabled><Days>365</Days>', { enabled: true, days: 365 }],
    ['<Enabled>false</Enabled><Days>366</Days>', { enabled: false, days: undefined }],
  ])('R-83: reads the retention %s', async (content, expected) => {
    const { logging: read } = await readServiceProperties(document(logging(retention(content))))
    expect(read?.retention).toEqual(expected)
  })

  it.each([
    '',
    'text',
    '<Other/>',
    document('<Other/>'),
    document('<Cors/><Cors/>'),
    document('<Logging/>'),
    document(logging('')),
    document(logging(retention('<Enabled>true</Enabled>'))),
    document(logging(retention('<Enabled>true</Enabled><Days>366</Days>'))),
    document(logging(retention('<Enabled>true</Enabled><Days>0</Days>'))),
    document(logging().replace('1.0', 'one')),
    document(logging().replace('True', 'yes')),
  ])('R-83: rejects %s', async (body) => {
    await expect(readServiceProperties(body)).rejects.toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidXmlDocument' }),
    )
  })
})

const element = (text: string) => readDocument(`<a>${text}</a>`)
const malformed = expect.objectContaining({ code: 'InvalidXmlDocument' })

describe('readBoolean', () => {
  it('R-83: accepts true and false in any case', async () => {
    const texts = ['true', 'False', ' TRUE ']
    const elements = await Promise.all(texts.map(element))
    expect(elements.map(readBoolean)).toEqual([true, false, true])
  })

  it.each(['', 'yes', '1', '<b/>'])('rejects %j', async (text) => {
    const found = await element(text)
    expect(() => readBoolean(found)).toThrow(malformed)
  })
})

describe('readNumber', () => {
  it('accepts whole numbers within the bounds', async () => {
    expect([
      readNumber(await element('1'), 1, 365),
      readNumber(await element(' 365 '), 1, 365),
    ]).toEqual([1, 365])
  })

  it.each(['', '0', '366', '1.5', '-1', '1e2', '99999999999'])('rejects %j', async (text) => {
    const found = await element(text)
    expect(() => readNumber(found, 1, 365)).toThrow(malformed)
  })
})

describe('readList', () => {
  it('splits at commas', async () => {
    expect(readList(await element('a, b ,c'))).toEqual(['a', 'b', 'c'])
    expect(readList(await element(' '))).toEqual([])
  })

  it('requires the element', () => {
    expect(() => readList(undefined)).toThrow(malformed)
  })
})

const START = '\ufeff<?xml version="1.0" encoding="utf-8"?>'

describe('NEW_SERVICE', () => {
  it('R-83: has everything disabled, as recorded', () => {
    const off = '<RetentionPolicy><Enabled>false</Enabled></RetentionPolicy>'
    const metrics = `<Version>1.0</Version><Enabled>false</Enabled>${off}`
    expect(printServiceProperties(NEW_SERVICE)).toBe(
      `${START}<StorageServiceProperties><Logging><Version>1.0</Version><Read>false</Read><Write>false</Write><Delete>false</Delete>${off}</Logging><HourMetrics>${metrics}</HourMetrics><MinuteMetrics>${metrics}</MinuteMetrics><Cors /></StorageServiceProperties>`,
    )
  })
})
