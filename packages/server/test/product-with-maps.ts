// The app with a script of another host that loads a second one.
import product from '../../../app/server.ts'
import { run } from '../src/start/run.ts'

const policy = {
  ...product.policy,
  script: ['https://js.maps.example/loader.js', 'https://js.maps.example'],
  trustedTypes: ['maps#loader'],
}
await run({ ...product, policy }, [])
