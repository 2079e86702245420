/** Returns what `parseEntityJson` must return. It reads one character at a time: slow, but easy to check. */
export function parseSlowly(text: string): unknown {
  const reader = { text, at: 0 }
  return readValue(reader)
}

interface Reader {
  readonly text: string
  at: number
}

function readValue(reader: Reader): unknown {
  skipBlanks(reader)
  const first = reader.text[reader.at]
  if (first === '{') return readObject(reader)
  if (first === '[') return readArray(reader)
  if (first === '"') return readString(reader)
  return JSON.parse(readToken(reader))
}

function readObject(reader: Reader): unknown {
  const members: [name: string, value: unknown][] = []
  for (let more = step(reader, '{', '}'); more; more = step(reader, ',', '}')) {
    skipBlanks(reader)
    const name = readString(reader)
    skipBlanks(reader)
    reader.at++
    skipBlanks(reader)
    const token = readToken({ ...reader })
    const value = readValue(reader)
    if (isWholeDouble(token) && !isAnnotation(name) && !isAnnotated(members.at(-1), name)) {
      members.push([`${name}@odata.type`, 'Edm.Double'])
    }
    members.push([name, value])
  }
  return Object.fromEntries(members)
}

function isAnnotation(name: string): boolean {
  return /^odata\.|@odata\.[^@]*$/.test(name)
}

/** Tells whether the member before annotates the member of this name. */
function isAnnotated(before: [name: string, value: unknown] | undefined, name: string): boolean {
  return before?.[0] === `${name}@odata.type` && /^Edm\.\w+$/.test(String(before[1]))
}

function readArray(reader: Reader): unknown {
  const values: unknown[] = []
  for (let more = step(reader, '[', ']'); more; more = step(reader, ',', ']')) {
    values.push(readValue(reader))
  }
  return values
}

/** Passes the opening mark or the comma, and tells whether another member follows. */
function step(reader: Reader, mark: string, close: string): boolean {
  skipBlanks(reader)
  if (reader.text[reader.at] === close) {
    reader.at++
    return false
  }
  if (reader.text[reader.at] === mark) reader.at++
  skipBlanks(reader)
  if (reader.text[reader.at] !== close) return true
  reader.at++
  return false
}

function readString(reader: Reader): string {
  const from = reader.at++
  while (reader.text[reader.at] !== '"') reader.at += reader.text[reader.at] === '\\' ? 2 : 1
  reader.at++
  return JSON.parse(reader.text.slice(from, reader.at))
}

function readToken(reader: Reader): string {
  const from = reader.at
  while (reader.at < reader.text.length && !/[\s,\]}]/.test(reader.text[reader.at] as string)) {
    reader.at++
  }
  return reader.text.slice(from, reader.at)
}

function skipBlanks(reader: Reader): void {
  while (/[ \t\r\n]/.test(reader.text[reader.at] ?? '')) reader.at++
}

/** `3.0` and `1E3`; a number with an exponent is annotated whether it is whole or not. */
function isWholeDouble(token: string): boolean {
  return /^-?\d+(\.0+|(\.\d+)?[eE][+-]?\d+)$/.test(token)
}
