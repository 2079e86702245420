import { Session } from 'node:inspector/promises'

/** What a sample is counted as. */
export const PARTS = ['client', 'undici', 'node', 'collector', 'native']

const MICROSECONDS = 100

/**
 * Samples the main thread while some work runs.
 *
 * @returns the share of each part of {@link PARTS}, and of each function with its callees in C++; waits do not count
 */
export async function sample(work) {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: MICROSECONDS })
  await session.post('Profiler.start')
  await work()
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  return sharesOf(profile)
}

function sharesOf({ nodes, samples, timeDeltas }) {
  const frames = framesOf(nodes)
  const shares = Object.fromEntries(PARTS.map((part) => [part, 0]))
  const functions = new Map()
  let total = 0
  for (const [index, id] of samples.entries()) {
    const { part, title } = frames.get(id)
    if (part === undefined) continue
    const time = timeDeltas[index + 1] ?? MICROSECONDS
    total += time
    shares[part] += time
    functions.set(title, (functions.get(title) ?? 0) + time)
  }
  for (const part of PARTS) shares[part] /= total
  const sorted = [...functions].sort(([, a], [, b]) => b - a)
  return { shares, functions: sorted.map(([title, time]) => [title, time / total]) }
}

const SPECIAL = {
  '(garbage collector)': 'collector',
  '(program)': 'native',
  '(root)': undefined,
  '(idle)': undefined,
}

/** Functions in C++ have no file; they count as their caller's. */
function framesOf(nodes) {
  const frames = new Map()
  const visit = (node, caller) => {
    const { functionName, url, lineNumber } = node.callFrame
    const file = url.split('/').slice(-3).join('/')
    const own = {
      part: partOf(url),
      title: `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`,
    }
    const special = { part: SPECIAL[functionName], title: functionName }
    const frame = functionName in SPECIAL ? special : url === '' ? caller : own
    frames.set(node.id, frame)
    for (const id of node.children ?? []) visit(byId.get(id), frame)
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  visit(nodes[0], { part: 'native', title: '(native)' })
  return frames
}

function partOf(url) {
  if (url.startsWith('node:')) return 'node'
  return url.includes('/undici/') || url.includes('/wasm/') ? 'undici' : 'client'
}
