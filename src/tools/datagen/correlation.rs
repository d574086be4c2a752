//! How well one number foretells another.

/// Pearson's correlation of pairs that are added one by one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Correlation {
    /// Sums of 1, x, y, xx, yy, xy.
    sums: [f64; 6],
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        let terms = [1.0, x, y, x * x, y * y, x * y];
        self.sums.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }

    /// From -1 to 1; no number while either side has not varied.
    pub fn value(&self) -> f64 {
        let [n, x, y, xx, yy, xy] = self.sums;
        (n * xy - x * y) / ((n * xx - x * x) * (n * yy - y * y)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_correlate_fully_and_independent_numbers_not_at_all() {
        let of = |pairs: &[(f64, f64)]| {
            let mut correlation = Correlation::default();
            pairs.iter().for_each(|&(x, y)| correlation.add(x, y));
            correlation.value()
        };
        assert!((of(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]) - 1.0).abs() < 1e-12);
        assert!((of(&[(1.0, 3.0), (2.0, 1.0), (4.0, -3.0)]) + 1.0).abs() < 1e-12);
        assert!(of(&[(-1.0, 1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]).abs() < 1e-12);
        assert!(of(&[(1.0, 2.0), (1.0, 3.0)]).is_nan());
    }
}
