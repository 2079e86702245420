/** The resources that another process uses, as the kernel counts them. Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

/** CPU of all threads of a process since its start, in microseconds: user and system time. */
export function cpuOf(pid) {
  const folder = `/proc/${pid}/task`
  const threads = readdirSync(folder).map((thread) => {
    const [nanoseconds] = readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1000
  })
  return threads.reduce((sum, cpu) => sum + cpu, 0)
}

/** Memory that a process holds now, in MiB. */
export function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(text)[1]) / 1024
}
