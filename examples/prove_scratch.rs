use std::time::Duration;
use tidegate::toolchain::formal::*;
fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    // design.v top method depth anyproduct harness...
    let v = std::fs::read_to_string(&a[0]).unwrap();
    let d: u32 = a[3].parse().unwrap();
    let method = if a[2] == "i" { Method::Induction(d) } else { Method::Bounded(d) };
    let h: String = a[5..].iter().map(|f| std::fs::read_to_string(f).unwrap()).collect();
    let t = std::time::Instant::now();
    let r = Prover::find().unwrap().judge(&Question {
        sources: &[("design.v", &v)],
        harness: &h,
        top: &a[1],
        method,
        any_product: a[4] == "1",
        timeout: Duration::from_secs(120),
    });
    match r {
        Ok(r) => {
            for o in r {
                match o.judgement {
                    Judgement::Proved => println!("ok   {}", o.name),
                    Judgement::Counterexample { cycle, trace } => println!("FAIL {} in {cycle}\n{trace}", o.name),
                    Judgement::GaveUp { reason } => println!("???? {}: {reason}", o.name),
                }
            }
        }
        Err(e) => println!("error {e:#}"),
    }
    println!("{:.1} s", t.elapsed().as_secs_f64());
}
