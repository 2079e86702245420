import { type Account, union } from '@rowkey/mapper'
import { type EdmType, EntityProperty, parseDateTime } from '@rowkey/odata'
import {
  type Column,
  column,
  dynamicColumn,
  dynamicKind,
  type Kind,
  kind,
  propertyText,
} from './history-kinds.ts'
import {
  Audit,
  Bare,
  Cat,
  Defined,
  DefinedTag,
  Dog,
  Kept,
  Long,
  Mapped,
  Signed,
  Tagged,
  Thing,
  Thing1,
  Thing2,
  ThingReady,
} from './history-models.ts'
import type { Properties } from './history-rows.ts'

/** A table as a program opened it: what it reads and writes. */
export interface View {
  readonly title: string
  /** The kinds whose objects it writes; the first is what it makes. */
  readonly kinds: readonly Kind[]
  open(account: Account, table: string): object
}

/** Models of the same rows, and what other programs store in these. */
export interface Scene {
  readonly title: string
  readonly views: readonly View[]
  /** What rivals store: names, each with some values. */
  readonly rivals: ReadonlyMap<string, readonly EntityProperty[]>
  /** What every row of a rival holds, one of these. */
  readonly marks: readonly ReadonlyMap<string, EntityProperty>[]
  /** Rivals write through this view, since nothing else makes rows that can be read. */
  readonly rivalView: View | undefined
  /** A view that brings rows of earlier versions up to its own. */
  readonly upgrade?: View
}

const of = (type: EdmType, ...values: readonly unknown[]): readonly EntityProperty[] =>
  values.map((value) => EntityProperty.of(value as number, type, 'value'))

const numbers = [1, 2, 3, undefined]
const texts = ['x', 'y', '', undefined]
const moments = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-03T04:05:06.789Z'), undefined]

const n: Column = column('n', 'Int32', numbers)

function view(title: string, kinds: readonly Kind[], open: View['open']): View {
  return { title, kinds, open }
}

function untyped(columns: readonly Column[]): View {
  return view('DynamicEntity', [dynamicKind(columns)], (account, table) => account.table(table))
}

function columnsOf(stored: Scene['rivals']): Column[] {
  return [...stored].map(([name, values]) => dynamicColumn(name, values))
}

function plain(): Scene {
  const rivals = new Map([
    ['n', of('Int32', 4, 5, 50)],
    ['text', of('String', 'x', 'rival')],
    ['cea', of('Int64', 4n, 50n)],
    ['ratio', of('Double', 3, 2.5)],
    ['when', of('DateTime', parseDateTime('2026-05-05T05:05:05.1234567Z'))],
    ['note', of('String', 'note', ' padded ')],
    ['level', of('Int32', 5, 50)],
    ['px', of('Int32', 1)],
    ['py', of('Int32', 2)],
    ['u', of('Int32', 1, 2)],
    ['v', of('Double', 3)],
    ['w', of('String', 'w', '')],
  ])
  const tagged = kind('Tagged', {
    create: () => new Tagged(),
    etag: 'etag',
    columns: [
      n,
      column('text', 'String', texts, { fallback: 'x' }),
      column('big', 'Int64', [1n, 2n, undefined], { storedAs: 'cea' }),
      column('ratio', 'Double', [1, 1.5, undefined], { fallback: 1 }),
      column('when', 'DateTime', moments),
    ],
  })
  const bare = kind('Bare', {
    create: () => new Bare(),
    columns: [
      column('n', 'Int32', [7, ...numbers], { fallback: 7 }),
      column('text', 'String', texts),
    ],
  })
  const defined = kind('Defined', {
    create: () => ({}),
    columns: [
      n,
      column('text', 'String', texts, { fallback: 'x', isDefault: true }),
      column('big', 'Int64', [1n, 2n, undefined], { storedAs: 'cea' }),
      column('note', 'String', ['note', 'other', undefined], { isAltered: true }),
      column('level', 'Int32', [1, 9, undefined], { isAltered: true }),
    ],
  })
  const definedTag = kind('DefinedTag', {
    create: () => ({}),
    etag: 'etag',
    columns: [
      column('n', 'Int32', [3, ...numbers], { fallback: 3, isDefault: true }),
      column('text', 'String', texts),
    ],
  })
  const mapped = kind('Mapped', {
    create: () => new Mapped(),
    etag: 'etag',
    columns: [n, column('text', 'String', texts), coordinate('x', 'px'), coordinate('y', 'py')],
  })
  return {
    title: 'plain',
    rivals,
    marks: [new Map()],
    rivalView: undefined,
    views: [
      view('Tagged', [tagged], (account, table) => account.table(Tagged, table)),
      view('Bare', [bare], (account, table) => account.table(Bare, table)),
      view('Defined', [defined], (account, table) => account.table(Defined, table)),
      view('DefinedTag', [definedTag], (account, table) => account.table(DefinedTag, table)),
      view('Mapped', [mapped], (account, table) => account.table(Mapped, table)),
      untyped(columnsOf(rivals)),
    ],
  }
}

/** One of two stored numbers that are one member of a class that maps itself. */
function coordinate(name: 'x' | 'y', storedAs: string): Column {
  return column(storedAs, 'Int32', numbers, {
    isSelectable: false,
    get: (entity) => (entity as Mapped).position[name],
    set(entity, value) {
      const at = entity as Mapped
      at.position = { ...at.position, [name]: value as number | undefined }
    },
  })
}

const FULL = 32_768

function long(): Scene {
  const rivals = new Map([
    ['body', of('String', 'short', 'b'.repeat(FULL))],
    ['body_2', of('Double', 2)],
    ['n', of('Int32', 4, 5)],
    ['u', of('String', 'u')],
  ])
  const values = [
    'one',
    'two',
    '',
    'three',
    'four',
    'c'.repeat(FULL),
    'd'.repeat(FULL + 5),
    undefined,
  ]
  const body = column('body', 'String', values, {
    names: ['body', 'body_2'],
    of(row) {
      const first = row.get('body')
      const second = row.get('body_2')
      const isFull = (first?.length ?? 0) >= 'String '.length + FULL - 1
      const isPiece = isFull && second?.startsWith('String ')
      return isPiece ? `${first}${second?.slice('String '.length)}` : first
    },
  })
  const isBlocked = (row: Properties) => row.get('body_2')?.startsWith('Double ') === true
  const create = () => new Long()
  const pieces = kind('Long', { create, etag: 'etag', columns: [body, n], isBlocked })
  return {
    title: 'long',
    rivals,
    marks: [new Map()],
    rivalView: undefined,
    views: [
      view('Long', [pieces], (account, table) => account.table(Long, table)),
      untyped(columnsOf(rivals)),
    ],
  }
}

function signed(): Scene {
  const columns = [n, column('text', 'String', texts, { fallback: 'x' })]
  const create = () => new Signed()
  const reads = (row: Properties) => row.has('Signature')
  const options = { create, columns, reads, etag: 'etag', hidden: ['Signature'] }
  const signed = kind('Signed', { ...options, isWhole: true, isSigned: true })
  const open: View = view('Signed', [signed], (account, table) => account.table(Signed, table))
  return {
    title: 'signed',
    rivals: new Map(),
    marks: [new Map()],
    rivalView: open,
    views: [open],
  }
}

function kept(): Scene {
  const rivals = new Map([
    ['n', of('Int32', 4, 5)],
    ['text', of('String', 'rival')],
    ['u', of('Int32', 1)],
  ])
  const bound = kind('Kept', {
    create: () => new Kept(),
    etag: 'etag',
    isKept: true,
    columns: [n, column('text', 'String', texts, { fallback: 'x' })],
  })
  return {
    title: 'kept',
    rivals,
    marks: [new Map()],
    rivalView: undefined,
    views: [
      view('Kept', [bound], (account, table) => account.table(Kept, table)),
      untyped(columnsOf(rivals)),
    ],
  }
}

function audit(): Scene {
  const rivals = new Map([
    ['partitionKey', of('String', 'p')],
    ['rowKey', of('String', 'a', 'b', 'c')],
    ['n', of('Int32', 4, 5)],
  ])
  const lines = kind('Audit', {
    create: () => new Audit(),
    columns: [
      column('partitionKey', 'String', ['p', 'p', undefined]),
      column('rowKey', 'String', ['a', 'b', 'c', undefined]),
      n,
    ],
  })
  return {
    title: 'audit',
    rivals,
    marks: [new Map()],
    rivalView: undefined,
    views: [
      view('Audit', [lines], (account, table) => account.table(Audit, table)),
      untyped(columnsOf(rivals)),
    ],
  }
}

function pets(): Scene {
  const rivals = new Map([
    ['n', of('Int32', 4, 5)],
    ['text', of('String', 'rival')],
    ['label', of('String', 'rival', 'dog')],
    ['u', of('Double', 3)],
  ])
  const marks = ['cat', 'dog', 'cow'].map((text) => new Map([['Kind', mark(text)]]))
  const cat = kind('Cat', {
    create: () => new Cat(),
    etag: 'etag',
    columns: [n, column('text', 'String', texts, { fallback: 'x' })],
    marks: { Kind: 'String cat' },
  })
  const dog = kind('Dog', {
    create: () => ({}),
    etag: 'tag',
    columns: [
      n,
      column('label', 'String', ['dog', 'big', undefined], { fallback: 'dog', isDefault: true }),
    ],
    marks: { Kind: 'String dog' },
  })
  const isOther = (row: Properties) => !/ (?:cat|dog)$/.test(row.get('Kind') ?? '')
  const columns = [
    ...columnsOf(rivals),
    dynamicColumn('Kind', [mark('cow'), mark('cat'), mark('dog')]),
  ]
  const open = (account: Account, table: string) =>
    account.table(table, union(Cat, Dog, { unknown: 'dynamic' }))
  return {
    title: 'union',
    rivals,
    marks: [...marks, new Map()],
    rivalView: undefined,
    views: [
      view('union', [cat, dog, dynamicKind(columns, isOther)], open),
      view('Cat', [cat], (account, table) => account.table(Cat, table)),
      view('Dog', [dog], (account, table) => account.table(Dog, table)),
      view('union.ofType(Cat)', [cat], (account, table) =>
        account.table(table, union(Cat, Dog)).ofType(Cat),
      ),
      untyped(columns),
    ],
  }
}

const mark = (text: string): EntityProperty => EntityProperty.of(text, 'String', 'Kind')

/** The programs that use rows of two versions. */
function programs(): Readonly<Record<'latest' | 'alone' | 'plain' | 'ready', View>> {
  const isLater = (row: Properties) => row.get('Version') === propertyText(two)
  const first = (title: string, create: () => object, marks: Readonly<Record<string, string>>) =>
    kind(title, {
      create,
      etag: 'etag',
      marks,
      hidden: ['Version'],
      columns: [n, column('text', 'String', texts)],
      reads: (row) => !isLater(row),
    })
  // A program without versions cannot know of them.
  const thing = kind('Thing', {
    create: () => new Thing(),
    etag: 'etag',
    columns: [n, column('text', 'String', texts)],
  })
  const thing1 = first('Thing1', () => new Thing1(), { Version: propertyText(one) })
  const ready = kind('ThingReady', {
    create: () => new ThingReady(),
    etag: 'etag',
    marks: { Version: propertyText(one) },
    reads: () => true,
    // A later row without a count has none that an earlier one could change.
    isBlocked: (row) => isLater(row) && !row.has('count'),
    columns: [
      column('n', 'Int32', [1, 2, 3], {
        names: ['n', 'count'],
        of: (row) => row.get(isLater(row) ? 'count' : 'n'),
        isSelectable: false,
      }),
      column('text', 'String', texts, { isSelectable: false }),
    ],
  })
  const thing2 = kind('Thing2', {
    create: () => new Thing2(),
    etag: 'etag',
    marks: { Version: propertyText(two) },
    hidden: ['n'],
    reads: () => true,
    columns: [
      column('count', 'Int32', numbers, {
        of: (row) => (isLater(row) ? row.get('count') : (row.get('n') ?? 'Int32 0')),
        isSelectable: false,
      }),
      column('text', 'String', texts),
      column('added', 'String', ['new', 'a', undefined], {
        fallback: 'new',
        of: (row) => (isLater(row) ? row.get('added') : 'String new'),
        isSelectable: false,
      }),
    ],
  })
  return {
    latest: view('Thing2', [thing2], (account, table) => account.table(Thing2, table)),
    alone: view('Thing1', [thing1], (account, table) => account.table(Thing1, table)),
    plain: view('Thing', [thing], (account, table) => account.table(Thing, table)),
    ready: view('ThingReady', [ready], (account, table) => account.table(ThingReady, table)),
  }
}

const [one, two] = of('Int32', 1, 2) as [EntityProperty, EntityProperty]

function versions(): Scene {
  const rivals = new Map([
    ['n', of('Int32', 4, 5)],
    ['text', of('String', 'rival')],
    ['u', of('Int32', 1)],
  ])
  const { latest, alone, plain, ready } = programs()
  return {
    title: 'versions',
    upgrade: latest,
    rivals,
    marks: [new Map(), new Map([['Version', one]])],
    rivalView: undefined,
    views: [latest, alone, plain, ready, latest],
  }
}

/** An old and a new program side by side: the rivals are new programs, too. */
function deployment(): Scene {
  const { latest, alone, ready } = programs()
  return {
    title: 'deployment',
    upgrade: latest,
    rivals: new Map(),
    marks: [new Map()],
    rivalView: latest,
    views: [ready, latest, ready, alone],
  }
}

/** Every scene, the common ones more than once. */
export const scenes: readonly Scene[] = (() => {
  const every = plain()
  return [
    every,
    every,
    every,
    every,
    pets(),
    pets(),
    versions(),
    versions(),
    deployment(),
    deployment(),
    long(),
    signed(),
    audit(),
    kept(),
    kept(),
  ]
})()
