import type { Scenario } from '../figure.ts'
import { withBareServer } from '../limits/bare.ts'
import { median } from '../load.ts'
import { makeFolder, startProduct } from '../product.ts'

const STARTS = 7

export const coldStart: Scenario = {
  name: 'cold-start',
  measure: async () => {
    await using folder = await makeFolder()
    const firstStart = await timeOneStart(folder.path)
    const laterStarts: number[] = []
    const bare: number[] = []
    for (let count = 0; count < STARTS; count += 1) {
      laterStarts.push(await timeOneStart(folder.path))
      bare.push(await withBareServer('{}', async ({ started_in }) => started_in))
    }
    return [
      { name: 'first start, new database', unit: 'ms', value: firstStart, aside: true },
      {
        name: 'start to first answer',
        unit: 'ms',
        value: median(laterStarts),
        limit: median(bare),
        goal: { at_most: 500 },
        kratos: '300 to 500',
      },
    ]
  },
}

async function timeOneStart(folder: string): Promise<number> {
  const product = await startProduct(folder)
  await product.stop()
  return product.started_in
}
